import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { byIndex, unsorted } from '../../../src/database/by-index.ts'

t.test('a look-up gets a range and an order that suit one index, and stays apart', (t) => {
  t.equal(byIndex('(select a from x where x.c = 1 and x.k = by_index(q.k)) x'),
    `(select a from x where x.c = 1 and x.k between q.k and q.k order by x.k, ${unsorted} offset 0) x`)
  t.equal(byIndex('select a from x where x.k = by_index(q.k) and x.b limit 1', ''),
    'select a from x where x.k between q.k and q.k and x.b order by x.k limit 1 offset 0')
  t.end()
})

t.test('an order of the statement follows that of the look-up', (t) => {
  t.equal(byIndex('(select a from x where x.k = by_index(q.k)\n  order by x.b limit 3 offset q.o) x'),
    '(select a from x where x.k between q.k and q.k\n  order by x.k, x.b limit 3 offset q.o) x')
  t.end()
})

t.test('words in brackets, texts and comments belong to no look-up', (t) => {
  const rest = "-- don't limit)\n and exists (select from y limit 1) and b <> ' limit'"
  t.equal(byIndex(`select a from x where x.k = by_index(f(q.k, ')')) ${rest};\nselect 1`, ''),
    `select a from x where x.k between f(q.k, ')') and f(q.k, ')') ${rest} order by x.k offset 0;\nselect 1`)
  t.end()
})

t.test('several look-ups of a statement are compiled, also one in another', (t) => {
  t.equal(byIndex('select (select a from x where x.k = by_index(y.k) limit 1) from y where y.i = by_index(1)', ''),
    'select (select a from x where x.k between y.k and y.k order by x.k limit 1 offset 0) ' +
    'from y where y.i between 1 and 1 order by y.i offset 0')
  t.equal(byIndex('select 1'), 'select 1')
  t.end()
})

t.test('look-ups are compiled, and not written by hand', (t) => {
  const root = join(import.meta.dirname, '../../../src')
  const files = globSync('**/*.{ts,sql}', { cwd: root, exclude: ['database/migrations/**', 'database/by-index.ts'] })
  const byHand = /\bbetween (\S+) and \1(?!\S)|::character\(10485760\)/
  t.same(files.filter(file => byHand.test(readFileSync(join(root, file), 'utf8'))), [])
  t.end()
})
