import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { limits, limitTable } from '../../../src/config/limits.ts'
import { limitTables, withTables } from '../../support/limit-tables.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/explanation/limits-and-overload.md'), 'utf8')
const code = globSync(['src/**/*.ts', 'plugins/**/*.ts', 'routes/**/*.ts'], { cwd: root })
  .filter(path => !path.startsWith('src/config/limit')).map(path => readFileSync(join(root, path), 'utf8')).join('\n')

t.test('the page of limits has the generated tables', async (t) => {
  t.equal(page, withTables(page), 'run `node test/support/limit-tables.ts`, which puts the tables on docs/explanation/limits-and-overload.md')
  const shown = [...page.matchAll(/<!-- limits: (\w+) -->/g)].map(([, subject]) => subject)
  t.strictSame(shown.sort(), Object.keys(limitTable).sort(), 'each subject once')
  t.throws(() => withTables('<!-- limits: nothing -->\n<!-- /limits -->'), { message: 'there are no limits of nothing' })
})

t.test('the amounts are readable, and those of variables are their defaults', async (t) => {
  const { bodies, database, rates, exports, webhooks, slices } = limitTables()
  t.match(bodies, '| body of `bulk/` | request | 16 MiB | 413 |')
  t.match(exports, '| download of a CSV export | request | 10 min | closed |')
  t.match(database, '| shared write | statement | 2.5 s |')
  t.match(rates, '| requests | user | 6,000 a minute (`API_REQUESTS_PER_MINUTE`) | 429 |')
  t.match(webhooks, '| all attempts fail | webhook | 5 days | switched off |')
  t.match(slices, '| slice in which a CSV export is written | process | 0.5 ms |')
})

t.test('the prose of the page has no amount of its own', async (t) => {
  const prose = page.replaceAll(/<!-- limits: \w+ -->[^]*?<!-- \/limits -->/g, '')
  t.strictSame(prose.match(/\d[\d.,]* ?(?:ms|s|min|minutes|hours|days|kB|KiB|MB|MiB|GB|%)(?!\w)/g) ?? [], [])
})

t.test('the code reads every number of the table', async (t) => {
  const read = (subject: string, name: string) => code.includes(`limits.${subject}.${name}`) ||
    new RegExp(`\\{[^{}]*\\b${name}\\b[^{}]*\\} = limits\\.${subject}\\b`).test(code)
  const unread = Object.entries<Record<string, number>>(limits).flatMap(([subject, numbers]) =>
    Object.keys(numbers).filter(name => !read(subject, name)).map(name => `${subject}.${name}`))
  t.strictSame(unread, [])
})

t.test('the functions of the database have the number of levels of a tree', async (t) => {
  const levels = limits.bodies.treeLevels
  const functionOf = (name: string) => readFileSync(join(root, 'src/domain/contracts', `${name}.sql`), 'utf8')
  t.match(functionOf('refuse-contract-place'), `depth + levels > ${levels} then`)
  t.match(functionOf('contract-ancestors'), `way.step < ${levels})`)
  for (const name of ['raise-contract-levels', 'lower-contract-levels']) t.match(functionOf(name), `, ${levels + 1})`)
})
