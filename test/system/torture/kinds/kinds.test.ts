import t from 'tap'
import { rowOf } from './bucket.ts'
import { faultRow } from './faults.ts'
import { neighbourRow } from './neighbours.ts'
import { readOptions } from './options.ts'
import { grown } from './soak.ts'
import { Table, type NotRun, type Row } from '../../kernel/table.ts'
import { Report } from '../../kernel/report.ts'

/** The printed table of these rows. */
function printed (rows: Array<Row | NotRun>): { text: string, well: boolean } {
  let text = ''
  const table = new Table(piece => { text += piece })
  table.begin()
  for (const row of rows) table.addRow(row)
  return { well: table.end(['kills', 'sqlmap'], 90), text }
}

const cellsOf = (line: string) => line.split(/(?<!\\)\|/).slice(1, -1).map(cell => cell.trim())

t.test('a Markdown row for each result and each kind that was not run', async (t) => {
  const { text, well } = printed([{ what: 'killed', times: 1000, result: '12 writes', bad: [] }, { what: 'sqlmap', why: 'it is not installed' }])
  const lines = text.split('\n')
  t.strictSame(lines.slice(0, 4).map(cellsOf).map(([, ...cells]) => cells).filter((_, index) => index !== 1), [
    ['times', 'result', 'lost, found'],
    ['1,000', '12 writes', 'nothing'],
    ['–', 'not run: it is not installed', '']
  ])
  t.match(lines[1], /^(\|-+)(\|-+:)(\|-+){2}\|$/)
  t.equal(new Set(lines.slice(0, 4).map(({ length }) => length)).size, 1, 'aligned')
  t.strictSame(lines.slice(4), ['', 'kills, sqlmap: 1 done, 1 not run, in 1.5 minutes: nothing was lost, nothing found', ''])
  t.equal(well, true)
})

t.test('losses are listed below the table, up to a limit, and fail the run', async (t) => {
  const bad = Array.from({ length: 12 }, (_, index) => `contract ${index}\n\u001b[31mis | lost`)
  const { text, well } = printed([{ what: 'killed | twice', times: 1, result: '', bad }])
  t.strictSame(cellsOf(text.split('\n')[2]), ['killed \\| twice', '1', '', '12'])
  t.match(text, /^killed \| twice:\n {4}contract 0 is \| lost\n/m)
  t.match(text, / {4}and 2 more\n.*: 12 lost or found, in 1 of the rows\n$/)
  t.equal(well, false)
  t.equal(printed([{ what: 'sqlmap', why: 'it is not installed' }]).well, false, 'a run without any result fails')
})

t.test('an unknown kind is an error that lists the kinds', async (t) => {
  const names = ['kills', 'siege']
  t.strictSame(readOptions(names, ['--only', 'kills, siege', '--kills', '3', '--seed', '7']), {
    kills: 3,
    outages: 20,
    seconds: 1,
    reads: 1_000_000,
    writes: 3,
    actors: 3,
    workers: 0,
    replicas: 0,
    connections: 5000,
    minutes: 10,
    acts: 40_000,
    syncs: 10,
    files: 500,
    webhooks: 10,
    failovers: 20,
    contracts: 1000,
    shots: 100_000,
    framings: 20_000,
    rounds: 3000,
    seed: 7,
    from: undefined,
    attacks: undefined,
    only: ['kills', 'siege']
  })
  t.throws(() => readOptions(names, ['--only', 'sige']), { message: `unknown kind sige: use ${names.join(', ')}` })
  t.throws(() => readOptions(names, ['--kills', '0']), { message: /^--kills must be an integer/ })
})

t.test('after an outage a server must answer in time and resume writes; a killed server need not', async (t) => {
  const verdict = (met: object) => ({ report: Object.assign(new Report(), met), bad: ['a contract'] })
  t.strictSame(faultRow('paused', 1, verdict({ slowest: 30_000 }), 1000).bad, ['a contract'])
  t.strictSame(faultRow('paused', 1, verdict({ unanswered: 2, slowest: 30_001 }), 1001).bad, [
    'a contract',
    'writes resumed 1,001 ms after the database was back, limit 1,000 ms',
    'an answer took 30,001 ms, limit 30,000 ms'
  ])
  t.strictSame(faultRow('killed', 1, verdict({ unanswered: 2, slowest: 30_001 })).bad, ['a contract'])
})

t.test('memory that keeps growing after the warm-up is a failure', async (t) => {
  t.strictSame(grown([100, 200, 205, 210, 229]), [])
  t.strictSame(grown([100, 200, 205, 220, 231]), ['memory kept growing: 200 MB in the second fifth, 231 MB in the last'])
})

t.test('an attack that delays or refuses other callers fails the run', async (t) => {
  const results = (rank: number, time: number, refused = 0) => ({ times: [...Array.from({ length: rank - 1 }, () => 1), time, ...Array.from({ length: 100 - rank }, () => 10_000)], refused })
  const load = (time: number, refused = 0) => ({ reads: results(99, time, refused), 'filtered lists': results(95, 5), creates: results(95, 6), 'keyed creates': results(95, 7) })
  const row = (before: number, during: number, refused = 0, wrong: string[] = []) =>
    neighbourRow('attacked', { sent: 1000, before: load(before), during: load(during, refused), ids: 12, wrong })
  t.strictSame(row(4, 50), { what: 'attacked', times: 1000, result: "others' ms: reads p50 1 → 1, reads p99 4 → 50, filtered lists p95 5 → 5, creates p95 6 → 6, keyed creates p95 7 → 7; 0 of 400 refused; 12 ids drawn", bad: [] })
  t.strictSame(row(100, 200).bad, [], 'twice as long as before')
  t.strictSame(row(4, 51).bad, ["others' p99 of reads is 51 ms, limit 50 ms"])
  t.strictSame(row(100, 201, 3, ["the owner's request was answered by 429"]).bad, [
    "others' p99 of reads is 201 ms, limit 200 ms",
    '3 requests of others were refused',
    "the owner's request was answered by 429"
  ])
})

t.test('the checks of a bucket are a row, even if one fails or their process dies', async (t) => {
  const tap = (part: string) => `TAP version 14\n# Subtest: files\n    # Ceph has started in 9 ms\n    # Subtest: one\n        ok 1 - equal\n    ok 1 - one # time=3ms\n    ${part} 2 - two\n    # time=7ms\n`
  const what = 'files in a bucket of Ceph'
  t.strictSame(rowOf({ isRight: true, output: tap('ok') }), { what, times: 2, result: 'Ceph has started in 9 ms', bad: [] })
  t.strictSame(rowOf({ isRight: false, output: tap('not ok') }).bad, ['not ok 2 - two'])
  t.strictSame(rowOf({ isRight: false, output: 'Error: Ceph has ended' }).bad, ['Error: Ceph has ended'])
})
