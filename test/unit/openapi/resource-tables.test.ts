import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { describeService } from '../../../src/server/describe-service.ts'
import { registered } from '../../../src/domain/resources.ts'
import { resourceTables, type Document } from '../../support/openapi/resource-tables.ts'

const tables = resourceTables(await describeService() as unknown as Document)

t.test('each resource has its fields, filters and orderings', async (t) => {
  for (const { name, fields } of registered) {
    const section = tables.split(`## \`${name}/\``)[1]?.split('\n## ')[0] ?? ''
    const named = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field)
    t.strictSame(Object.keys(fields).filter(field => !named.includes(field)), [], name)
    t.match(section, /^Ordering by `id`, /m)
  }
  t.match(tables, '| `estado` | `vigente`, `suspendido`, `terminado`, `cancelado` | optional | State.')
  t.match(tables, '| `periodo_desde` | Estimates whose period starts on or after this day. |')
  t.match(tables, '| `hijos` | integer | read-only, only in the single record | Number of direct subcontracts. |')
})

t.test('the page has the generated tables', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/resources.md'), 'utf8')
  const shown = /<!-- resources -->\n([\s\S]*?)\n<!-- \/resources -->/.exec(page)?.[1]
  t.equal(shown?.trim(), tables, 'put the output of `node test/support/openapi/resource-tables.ts` between <!-- resources --> and <!-- /resources --> in docs/reference/resources.md')
})
