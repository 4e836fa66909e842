import t from 'tap'
import { memberships } from '../../../../src/domain/accounts/memberships.ts'
import type { ListQuery } from '../../../../src/resources/reading/page.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { explainPage, rowsRead } from '../../resources/reading/plan.ts'

t.test('a customer\'s memberships are found quickly among many of another customer', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ customer, company }] = await psql("select customer_id as customer, id as company from companies where nombre <> 'Obra Norte' and customer_id <> 1") as [{ customer: number, company: number }]
  await psql(`
    with made as (insert into users (email, password, customer_id, activo) select 'u' || n || '@otra.example', '', $1, true from generate_series(1, 1500) n returning id)
    insert into memberships (user_id, company_id, nivel_acceso) select id, $2, 1 from made`, [customer, company])
  await psql('analyze users, memberships, companies')

  for (const query of [{}, { ordering: ['-id'] }, { search: 'demo' }, { updated_since: '2000-01-01T00:00:00Z' }] as ListQuery[]) {
    const { run } = await explainPage(sql, 1, memberships, query)
    for (const node of run.filter(node => node['Relation Name'] === 'companies')) {
      t.ok(rowsRead(node) <= 100, `${JSON.stringify(query)}: ${node['Node Type']} on companies read ${rowsRead(node)} rows`)
    }
  }
})
