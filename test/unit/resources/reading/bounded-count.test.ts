import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { maxCount } from '../../../../src/resources/reading/page-statement.ts'
import type { ListQuery } from '../../../../src/resources/reading/page.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { explainPage, rowsRead, type Node } from './plan.ts'

const size = maxCount + 2_000

const below = ({ Plans = [] }: Node): Node[] => Plans.flatMap(node => [node, ...below(node)])

t.test('a bounded count stops reading', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  await psql("insert into contrapartes (company_id, nombre) select $1, 'Razón social ' || n from generate_series(1, 100) n", [company])
  await psql(`
    insert into contracts (company_id, folio, contraparte_id)
    select $1, 'G-' || p.id || '-' || n, p.id from contrapartes p, generate_series(1, $2::int / 100) n where p.company_id = $1 and p.nombre ~ '^Razón social \\d+$'`, [company, size])
  await psql('analyze contracts, contrapartes')

  /** Contracts that the count reads. */
  const counted = async (query: ListQuery) => {
    const { run } = await explainPage(sql, company, contracts, query)
    const counts = run.filter(node => node['Node Type'] === 'Aggregate')
    return Math.max(...counts.flatMap(below).filter(node => node['Relation Name'] === 'contracts').map(rowsRead))
  }
  for (const query of [
    { estado: 'vigente' },
    { updated_since: '2000-01-01T00:00:00Z' },
    { search: 'g-' },
    { search: 'social', estado: 'vigente' }
  ] as ListQuery[]) {
    t.ok(await counted(query) >= size, JSON.stringify(query))
    t.equal(await counted({ ...query, count_exact: false }), maxCount + 1, JSON.stringify(query))
  }
})
