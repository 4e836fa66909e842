import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import { readPage, type ListQuery, cursorAfter, parseOrdering } from '../../../../src/resources/reading/page.ts'
import type { Resource } from '../../../../src/resources/declaration/resource.ts'
import { asCompany } from '../../../support/as-company.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { explainPage, explainRecord, rowsRead, type Explained } from './plan.ts'

const size = 4_000

t.test('lists and records of a large company', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ id: company }] = await psql("select id from companies where nombre = 'Obra Sur'") as [{ id: number }]
  await psql("insert into contrapartes (company_id, nombre) select $1, 'Razón social ' || n from generate_series(1, $2::int) n", [company, size])
  await psql(`
    insert into contracts (company_id, folio, contraparte_id, fecha_inicio)
    select $1, 'G-' || p.id, case when p.id % 4 > 0 then p.id end, case when p.id % 3 > 0 then date '2026-01-01' + (p.id % 50)::int end from contrapartes p where p.company_id = $1 order by p.id`, [company])
  await psql('insert into estimates (company_id, contract_id) select $1, c.id from contracts c where c.company_id = $1 order by c.id', [company])
  await psql('analyze contracts, contrapartes, estimates')
  const [{ id, estimate, party, latest }] = await psql(`
    select max(c.id) as id, max(e.id) as estimate, max(c.contraparte_id) as party, max(c.updated_at)::text as latest
    from contracts c join estimates e on e.contract_id = c.id where c.company_id = $1`, [company]) as [{ id: number, estimate: number, party: number, latest: string }]
  const since = `${latest.replace(' ', 'T').replace(/\+.*/, '')}Z`

  const halfway = cursorAfter({ id: 1, nombre: 'RAZON SOCIAL 5' }, parseOrdering(contrapartes, ['nombre']))

  const readsFew = async (what: string, explain: () => Promise<Explained>) => await t.test(`reads few rows for ${what}`, async (t) => {
    for (const node of (await explain()).run.filter(node => node['Relation Name'] !== undefined)) {
      t.ok(rowsRead(node) <= 500, `${node['Node Type']} on ${node['Relation Name']} read ${rowsRead(node)} rows`)
    }
  })

  for (const [resource, query] of [
    [contracts, {}],
    [contracts, { ordering: ['-id'] }],
    [contracts, { ordering: ['-updated_at'] }],
    [contracts, { folio: `G-${id}` }],
    [contracts, { page: 'last' }],
    [contracts, { page: 'last', ordering: ['-updated_at'], page_size: 200 }],
    [contracts, { updated_since: since }],
    [contracts, { updated_since: '2999-01-01T00:00:00Z', ordering: ['folio'] }],
    [contrapartes, { ordering: ['nombre'] }],
    [contrapartes, { ordering: ['-nombre'] }],
    [contrapartes, { ordering: ['nombre'], cursor: halfway }],
    [contrapartes, { ordering: ['nombre'], page: 'last' }],
    [estimates, {}],
    [estimates, { ordering: ['-id'] }],
    [estimates, { contract: String(id) }],
    [contracts, { contraparte: 'Razón social 5' }],
    [contracts, { contraparte_nombre: 'Razón social 5' }],
    [estimates, { contraparte: String(party) }],
    [estimates, { contraparte: 'Razón social 5' }],
    [estimates, { contraparte_nombre: 'Razón social 5', ordering: ['-neto'] }],
    [estimates, { contraparte: String(party), totals: true }],
    [estimates, { updated_since: '2999-01-01T00:00:00Z' }]
  ] as Array<[Resource, ListQuery]>) {
    await readsFew(`${resource.name} ${JSON.stringify(query)}`, async () => await explainPage(sql, company, resource, query))
  }
  for (const query of [{ updated_since: since }, { updated_since: '2000-01-01T00:00:00Z' }]) {
    const { count, results } = await readPage(asCompany(readTurn(sql), company), contracts, { ...query, ordering: ['-id'], page_size: 3 }, 'UTC')
    const [counted] = await psql('select count(*)::int as count from contracts where company_id = $1 and updated_at >= $2::timestamptz', [company, query.updated_since])
    t.same({ count }, counted, 'every record changed since then is counted')
    t.same(results.map(row => row['id']), [id, id - 1, id - 2].slice(0, count), 'in order, with either plan')
  }

  await t.test('returns the same far pages from either end', async (t) => {
    const read = asCompany(readTurn(sql), company)
    for (const [ordering, sorted] of [
      [undefined, 't.id'],
      [['-id'], 't.id desc'],
      [['-fecha_inicio', 'folio'], 't.fecha_inicio desc, t.folio, t.id'],
      [['-contraparte'], 'p.nombre_orden desc, t.id']
    ] as const) {
      for (const [filter, condition] of [[{}, 'true'], [{ contraparte: 'null' }, 't.contraparte_id is null']] as const) {
        const rows = (await psql(`
          select t.id from contracts t left join contrapartes p on p.company_id = t.company_id and p.id = t.contraparte_id
          where t.company_id = $1 and ${condition} order by ${sorted}`, [company])).map(row => row['id'])
        const last = Math.ceil(rows.length / 30)
        for (const page of [34, Math.floor(last / 2) + 2, last, 'last']) {
          const query = { ...filter, ordering: ordering as string[] | undefined, page: String(page), page_size: 30 }
          const found = await readPage(read, contracts, query, 'UTC')
          const end = (page === 'last' ? last : Number(page)) * 30
          t.same([found.count, found.page, found.results.map(row => row['id'])], [rows.length, end / 30, rows.slice(end - 30, end)], JSON.stringify(query))
        }
        await t.rejects(readPage(read, contracts, { ...filter, page: String(last + 40), page_size: 30 }, 'UTC'), { name: 'NotFoundError', key: 'invalidPage' })
      }
    }
  })

  await readsFew('a contract', async () => await explainRecord(sql, company, contracts, id))
  await readsFew('an estimate', async () => await explainRecord(sql, company, estimates, estimate))
})
