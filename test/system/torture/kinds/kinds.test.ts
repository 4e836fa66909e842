import t from 'tap'
import { faultRow } from './faults.ts'
import { neighbourRow } from './neighbours.ts'
import { readOptions } from './options.ts'
import { grown } from './soak.ts'
import { Table, type NotRun, type Row } from './table.ts'
import { emptyTally } from '../writer.ts'

/** The table of these rows. */
function tabled (rows: Array<Row | NotRun>): { text: string, well: boolean } {
  let text = ''
  const table = new Table(piece => { text += piece })
  table.begin()
  for (const row of rows) table.tell(row)
  return { well: table.end(['kills', 'sqlmap'], 90), text }
}

const cellsOf = (line: string) => line.split(/(?<!\\)\|/).slice(1, -1).map(cell => cell.trim())

t.test('a row for all that was done and all that could not be, in columns that Markdown reads', async (t) => {
  const { text, well } = tabled([{ what: 'killed', times: 1000, came: '12 writes', bad: [] }, { what: 'sqlmap', why: 'it is not installed' }])
  const lines = text.split('\n')
  t.strictSame(lines.slice(0, 4).map(cellsOf).map(([, ...cells]) => cells).filter((_, index) => index !== 1), [
    ['times', 'what came of it', 'lost, found'],
    ['1,000', '12 writes', 'nothing'],
    ['–', 'not run: it is not installed', '']
  ])
  t.match(lines[1], /^(\|-+)(\|-+:)(\|-+){2}\|$/)
  t.equal(new Set(lines.slice(0, 4).map(({ length }) => length)).size, 1, 'aligned')
  t.strictSame(lines.slice(4), ['', 'kills, sqlmap: 1 done, 1 not run, in 1.5 minutes: nothing was lost, nothing found', ''])
  t.equal(well, true)
})

t.test('what was lost is told below, in part where there is much, and is no success', async (t) => {
  const bad = Array.from({ length: 12 }, (_, index) => `contract ${index}\n\u001b[31mis | lost`)
  const { text, well } = tabled([{ what: 'killed | twice', times: 1, came: '', bad }])
  t.strictSame(cellsOf(text.split('\n')[2] as string), ['killed \\| twice', '1', '', '12'])
  t.match(text, /^killed \| twice:\n {4}contract 0 is \| lost\n/m)
  t.match(text, / {4}and 2 more\n.*: 12 lost or found, in 1 of the rows\n$/)
  t.equal(well, false)
  t.equal(tabled([{ what: 'sqlmap', why: 'it is not installed' }]).well, false, 'nothing that was done is no proof')
})

t.test('a kind that there is not is refused, with those that there are', async (t) => {
  const names = ['kills', 'siege']
  t.strictSame(readOptions(names, ['--only', 'kills, siege', '--kills', '3', '--seed', '7']), { kills: 3, outages: 20, seconds: 1, connections: 5000, minutes: 10, acts: 40_000, shots: 100_000, framings: 20_000, rounds: 3000, seed: 7, only: ['kills', 'siege'] })
  t.throws(() => readOptions(names, ['--only', 'sige']), { message: `no sige: there are ${names.join(', ')}` })
  t.throws(() => readOptions(names, ['--kills', '0']), { message: /^--kills is a whole number/ })
})

t.test('a server whose database was gone answers everything, in time, and soon goes on; one that was killed cannot', async (t) => {
  const verdict = (met: object) => ({ tally: { ...emptyTally(), ...met }, lost: ['a contract'] })
  t.strictSame(faultRow('paused', 1, verdict({ slowest: 30_000 }), 1000).bad, ['a contract'])
  t.strictSame(faultRow('paused', 1, verdict({ unanswered: 2, slowest: 30_001 }), 1001).bad, [
    'a contract',
    '2 requests had no answer',
    'writing went on 1,001 ms after the database was back, which may be 1,000',
    'an answer took 30,001 ms, which may be 30,000'
  ])
  t.strictSame(faultRow('killed', 1, verdict({ unanswered: 2, slowest: 30_001 })).bad, ['a contract'])
})

t.test('memory that goes on growing once all is warm is found', async (t) => {
  t.strictSame(grown([100, 200, 205, 210, 229]), [])
  t.strictSame(grown([100, 200, 205, 220, 231]), ['memory went on growing: 200 MB in the second fifth, 231 MB in the last'])
})

t.test('an attack that delays or refuses other callers fails the run', async (t) => {
  const results = (rank: number, time: number, refused = 0) => ({ times: [...Array.from({ length: rank - 1 }, () => 1), time, ...Array.from({ length: 100 - rank }, () => 10_000)], refused })
  const load = (time: number, refused = 0) => ({ reads: results(99, time, refused), 'filtered lists': results(95, 5), creates: results(95, 6) })
  const row = (before: number, during: number, refused = 0, wrong: string[] = []) =>
    neighbourRow('attacked', { sent: 1000, before: load(before), during: load(during, refused), ids: 12, wrong })
  t.strictSame(row(4, 50), { what: 'attacked', times: 1000, came: "others' ms: reads p99 4 → 50, filtered lists p95 5 → 5, creates p95 6 → 6; 0 of 300 refused; 12 ids drawn", bad: [] })
  t.strictSame(row(100, 200).bad, [], 'twice as long as before')
  t.strictSame(row(4, 51).bad, ["others' p99 of reads is 51 ms, which may be 50"])
  t.strictSame(row(100, 201, 3, ["the owner's request was answered by 429"]).bad, [
    "others' p99 of reads is 201 ms, which may be 200",
    '3 requests of others were refused',
    "the owner's request was answered by 429"
  ])
})
