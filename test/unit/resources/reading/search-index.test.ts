import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import { readPage, type ListQuery } from '../../../../src/resources/reading/page.ts'
import type { Resource } from '../../../../src/resources/declaration/resource.ts'
import { asCompany } from '../../../support/as-company.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { indexCompany } from '../../../support/search-index.ts'
import { explainPage, rowsRead } from './plan.ts'

const size = 5_000

t.test('search in a large company', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  await psql("insert into contrapartes (company_id, nombre) select $1, 'Razón social ' || n * 7919 from generate_series(1, 2000) n", [company])
  await psql(`
    insert into contracts (company_id, folio, descripcion, contraparte_id)
    select $1, 'G-' || n, 'Frente ' || n * 104729 || repeat(' de la torre', 20), p.id
    from generate_series(1, $2::int) n join contrapartes p on p.company_id = $1 and p.nombre = 'Razón social ' || (n % 2000 + 1) * 7919`, [company, size])
  await psql('analyze contracts, contrapartes')
  await indexCompany(psql, company)
  // Autovacuum does this on a server.
  await psql("select gin_clean_pending_list('search.contracts_lexemes_index'), gin_clean_pending_list('search.contrapartes_lexemes_index')")
  const [{ pages }] = await psql("select relpages as pages from pg_class where oid = 'contracts'::regclass") as [{ pages: number }]

  for (const [resource, query] of [
    [contracts, { search: 'G-13579' }],
    [contracts, { search: '1422117' }],
    [contracts, { search: 'frente g-13579' }],
    [contracts, { search: 'social 1422117591', ordering: ['-monto'] }],
    [contracts, { search: 'inexistente' }],
    [contracts, { search: 'G-13579', ordering: ['folio'], estado: 'vigente', page: 'last' }],
    [contracts, { search: '7911081', page_size: 200 }],
    [contrapartes, { search: '7911081' }]
  ] as Array<[Resource, ListQuery]>) {
    await t.test(`reads few records of ${resource.name} for ${JSON.stringify(query)}`, async (t) => {
      const { run, blocks } = await explainPage(sql, company, resource, query)
      for (const node of run.filter(node => ['contracts', 'contrapartes'].includes(node['Relation Name'] ?? ''))) {
        t.not(node['Node Type'], 'Seq Scan')
        t.ok(rowsRead(node) <= 300, `${node['Node Type']} on ${node['Relation Name']} read ${rowsRead(node)} rows`)
      }
      // Includes the blocks that the function reads. The plan does not show its nodes.
      t.ok(blocks < pages / 2, `${blocks} blocks of ${pages}`)
    })
  }

  await t.test('also with as many waiting records as on a server', async (t) => {
    await psql("update contracts set descripcion = descripcion || '.' where id in (select id from contracts where company_id = $1 limit 100)", [company])
    const { blocks } = await explainPage(sql, company, contracts, { search: 'G-13579' })
    t.ok(blocks < pages, `${blocks} blocks of ${pages}`)
  })

  await t.test('finds the same records with either plan, for rare and frequent terms', async (t) => {
    const read = readTurn(sql)
    const naive = async (...terms: string[]) => (await psql(`
      select count(*)::int as count from contracts t left join contrapartes p on p.company_id = t.company_id and p.id = t.contraparte_id
      where t.company_id = $1 and not exists (
        select from unnest((select array_agg(search_term(term)) from unnest($2::text[]) term)) term
        where not (strpos(search_form(t.busqueda), term) > 0 or coalesce(strpos(search_form(p.busqueda), term) > 0, false)))`,
    [company, terms]))[0]?.['count'] as number
    for (const terms of [['frente'], ['social'], ['7'], ['79'], ['791'], ['7911'], ['g-1'], ['g-19'], ['g-199'], ['4729'], ['razón', '19'], ['e', '999'], ['9', '98', '987'], ['g-1999', '1'], ['13579'], ['04729'], ['422117']]) {
      const { count, results } = await readPage(asCompany(read, company), contracts, { search: terms.join(' '), page_size: 200, ordering: ['-folio'] }, 'UTC')
      t.equal(count, await naive(...terms), terms.join(' '))
      t.equal(results.length, Math.min(count, 200))
      const folios = results.map(row => row['folio'] as string)
      t.same(folios, [...folios].sort().reverse(), 'in order')
    }
  })
})
