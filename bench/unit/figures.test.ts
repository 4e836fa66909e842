import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pagesWithFigures, withRuns } from '../figures.ts'
import { blocks, servicesOf } from '../figures/blocks.ts'
import { evidence } from '../figures/evidence.ts'
import { readRuns, valuesOf, type Figures, type Run } from '../figures/run.ts'
import { list, table } from '../figures/table.ts'

const runOf = (bench: string, figures: Figures, options = ''): Run => ({
  bench,
  date: '2026-11-27',
  commit: 'af061aa',
  command: `npm run bench:${bench}${options}`,
  machine: '2 cores',
  database: 'PostgreSQL 15',
  figures
})
const run = (ms: number, units: Record<string, number> = {}) => runOf('sync', { write: { 'median ms': ms, ...units } })

t.test('the pages have the figures of bench/figures.json', async (t) => {
  const pages = pagesWithFigures(readRuns())
  const expected = ['README.md', 'bench/RESULTS.md', 'docs/explanation/performance.md', 'docs/explanation/scaling.md']
  t.match(pages.map(({ name }) => name).toSorted(), expected)
  for (const { name, text, written } of pages) t.equal(text, written, `${name}: run node bench/figures.ts`)
  for (const name of Object.keys(blocks)) {
    t.ok(pages.some(({ text }) => text.includes(`<!-- figures: ${name} -->`)), `a page shows ${name}`)
  }
  t.notMatch(pages.map(({ written }) => written).join(), /NaN|Infinity|undefined/)
})

t.test('a table has the medians of several runs, without rows and columns that have none', async (t) => {
  const values = valuesOf([run(5), run(120.4, { 'p99 ms': 7 }), run(12.34), runOf('sync', { answer: { bytes: 300 } })], 'sync')
  const rows: Array<[string, string]> = [['a write', 'write'], ['a read', 'read'], ['an answer', 'answer']]
  const expected = '| | median ms | p99 |\n|---|--:|--:|\n| a write | 12.3 | 7 |'
  t.equal(table(values, rows, ['median ms', ['p99 ms', 'p99'], 'MB']), expected)
  t.equal(list(values, rows, ['median ms', 'p99 ms']), '| | |\n|---|--:|\n| a write | median 12.3 ms, p99 7 ms |')
})

t.test('the page shows only the memory of the waiting requests, not that of the process', async (t) => {
  const values = valuesOf([runOf('waiting', { before: { MB: 110 }, '10,000 waiting requests': { MB: 151 } })], 'waiting')
  t.equal(blocks['waiting']?.(() => values), '| | |\n|---|--:|\n| 10,000 waiting requests | 151 MB |')
})

t.test('the evidence has each run, and the range of its figures', async (t) => {
  const text = evidence([run(5), run(120.4), run(12.34)])
  t.equal(text.match(/- `npm run bench:sync` on 2026-11-27 at af061aa\. 2 cores\. PostgreSQL 15\./g)?.length, 3)
  t.match(text, '| write | 12.3 (5–120) |')
})

t.test('new runs take the place of those of their bench; a run of some parts of it is refused', async (t) => {
  const works = runOf('works', { bulk: { 'median ms': 1 } })
  t.strictSame(withRuns([run(5), run(6), works], [run(7)]), [run(7), works])
  const partial = runOf('works', {}, ' -- --only bulk')
  t.throws(() => withRuns([works], [partial]), { message: 'the run has not all figures of works: npm run bench:works -- --only bulk' })
  const message = 'no run has service µs of lists, which a page calculates with'
  t.throws(() => blocks['capacity']?.(() => valuesOf([works], 'works')), { message })
})

const peersFolder = join(import.meta.dirname, '../peers')
const peers = readdirSync(peersFolder, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => name)

t.test('each service of the figures is one that the bench runs', async (t) => {
  const services = servicesOf(valuesOf(readRuns(), 'peers')).filter(name => name !== 'obra')
  t.ok(services.length > 0)
  for (const service of services) t.ok(peers.some(peer => service === peer || service.startsWith(`${peer}-`)), service)
})

t.test('the pages have ratios, times and the largest memory of each peer; no times if none were measured', async (t) => {
  const measured = { ratio: 0.5, 'requests/s': 9000, 'p50 ms': 4, 'p99 ms': 9.5, 'service µs': 80, 'PostgreSQL µs': 30 }
  const values = valuesOf([runOf('peers', {
    yardstick: { ...measured, MB: 500 },
    'obra: hot-list': { ...measured, MB: 194 },
    'rust-shared: hot-list': { ...measured, MB: 30 },
    'rust-shared: create': { ratio: 0.25, MB: 31 }
  })], 'peers')
  t.equal(blocks['peers by request']?.(() => values),
    '| | Obra | Rust, shared statements |\n|---|--:|--:|\n| first page | 0.50 | 0.50 |\n| single contracts | | |\n| creates | | 0.25 |')
  t.match(blocks['peers by service']?.(() => values), '| Rust, shared statements | 0.50 | | | 0.25 | 31 |')
  t.equal(blocks['peers, times']?.(() => values), [
    'Times of the same run:\n', '| | requests/s | p50 ms | p99 ms | service µs | PostgreSQL µs |', '|---|--:|--:|--:|--:|--:|',
    '| first page, Obra | 9,000 | 4 | 9.5 | 80 | 30 |', '| first page, Rust, shared statements | 9,000 | 4 | 9.5 | 80 | 30 |'
  ].join('\n'))
  t.equal(blocks['peers, times']?.(() => valuesOf([runOf('peers', { 'obra: create': { ratio: 1 } })], 'peers')), '')
})
