import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { maxCount } from '../../../../src/resources/declaration/list-schemas.ts'
import type { ListQuery } from '../../../../src/resources/reading/page.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { explainPage, rowsRead, type Node } from './plan.ts'

const size = maxCount + 2_000

const below = ({ Plans = [] }: Node): Node[] => Plans.flatMap(node => [node, ...below(node)])

t.test('a bounded count stops reading, and its page too', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  await psql("insert into contrapartes (company_id, nombre) select $1, 'Razón social ' || n from generate_series(1, 100) n", [company])
  await psql(`
    insert into contracts (company_id, folio, contraparte_id)
    select $1, 'G-' || p.id || '-' || n, p.id from contrapartes p, generate_series(1, $2::int / 100) n where p.company_id = $1 and p.nombre ~ '^Razón social \\d+$'`, [company, size])
  await psql('analyze contracts, contrapartes')

  /** How many contracts the count reads, and how many the page. */
  const read = async (query: ListQuery) => {
    const { run } = await explainPage(sql, company, contracts, query)
    const counting = new Set(run.filter(node => node['Node Type'] === 'Aggregate').flatMap(below))
    const most = (nodes: Node[]) => Math.max(0, ...nodes.filter(node => node['Relation Name'] === 'contracts').map(rowsRead))
    return { count: most([...counting]), page: most(run.filter(node => !counting.has(node))) }
  }
  for (const query of [
    { estado: 'vigente' },
    { updated_since: '2000-01-01T00:00:00Z' },
    { search: 'g-' },
    { search: 'social', estado: 'vigente' }
  ] as ListQuery[]) {
    t.ok((await read(query)).count >= size, JSON.stringify(query))
    const { count, page } = await read({ ...query, count_exact: false })
    t.equal(count, maxCount + 1, JSON.stringify(query))
    t.ok(page > 0 && page <= 2_000, `${JSON.stringify(query)}: the page read ${page}`)
  }
})
