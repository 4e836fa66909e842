import t from 'tap'
import { pagesWithFigures } from '../figures.ts'
import { blocks } from '../figures/blocks.ts'
import { evidence } from '../figures/evidence.ts'
import { readRuns, valuesOf, type Run } from '../figures/run.ts'
import { table } from '../figures/table.ts'

const run = (ms: number, units: Record<string, number> = {}): Run => ({
  bench: 'sync', date: '2026-11-27', commit: 'af061aa', command: 'npm run bench:sync', machine: '2 cores', database: 'PostgreSQL 15', figures: { write: { 'median ms': ms, ...units } }
})

t.test('the pages have the figures of bench/figures.json', async (t) => {
  const pages = pagesWithFigures(readRuns())
  t.match(pages.map(({ name }) => name).toSorted(), ['README.md', 'bench/RESULTS.md', 'docs/explanation/performance.md', 'docs/explanation/scaling.md'])
  for (const { name, text, written } of pages) t.equal(text, written, `${name}: run node bench/figures.ts`)
  for (const name of Object.keys(blocks)) t.ok(pages.some(({ text }) => text.includes(`<!-- figures: ${name} -->`)), `a page shows ${name}`)
  t.notMatch(pages.map(({ written }) => written).join(), /NaN|Infinity|undefined/)
})

t.test('a table has the medians of several runs, without rows and columns that have none', async (t) => {
  const values = valuesOf([run(5), run(120.4, { 'p99 ms': 7 }), run(12.34)], 'sync')
  t.equal(table(values, [['a write', 'write'], ['a read', 'read']], ['median ms', ['p99 ms', 'p99'], 'MB']), '| | median ms | p99 |\n|---|--:|--:|\n| a write | 12.3 | 7 |')
})

t.test('the evidence has each run, and the range of its figures', async (t) => {
  const text = evidence([run(5), run(120.4), run(12.34)])
  t.equal(text.match(/- `npm run bench:sync` on 2026-11-27 at af061aa\. 2 cores\. PostgreSQL 15\./g)?.length, 3)
  t.match(text, '| write | 12.3 (5–120) |')
})
