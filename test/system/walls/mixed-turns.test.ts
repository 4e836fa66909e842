import fc from 'fast-check'
import t, { type Test } from 'tap'
import { build } from '../../support/helper.ts'

const request = fc.record({
  tenant: fc.constantFrom(0, 1),
  kind: fc.constantFrom('list', 'last', 'filter', 'search', 'get', 'foreign', 'post', 'bad parent', 'bad name', 'patch', 'bill', 'bill foreign'),
  pick: fc.nat(19)
})

t.test('requests of two tenants in the same turns', async (t) => {
  const { as, database, psql } = await build(t)
  const clients = [await as('director@demo.example'), await as('director@otra.example')] as const
  const lists = await Promise.all(clients.map(async client => (await client.get('contracts/?page_size=21')).json().results.slice(1))) // the first has estimates already
  const companies = lists.map(([{ company }]) => company as number)
  const names = ['Sólo del Norte', 'Sólo de Otra']
  for (const [index, company] of companies.entries()) await psql('insert into contrapartes (company_id, nombre) values ($1, $2)', [company, names[index]])

  let mixed: Record<string, number> = { 'read only': 0, 'read write': 0 }
  const { within } = database.sql
  database.sql.within = async (admitted, mode, ...statements) => {
    if (admitted.length > 1) mixed[mode] = mixed[mode] + 1
    return await within(admitted, mode, ...statements)
  }
  let folios = 0

  async function play ({ tenant, kind, pick }: { tenant: 0 | 1, kind: string, pick: number }): Promise<void> {
    const client = clients[tenant]
    const [own, other] = [lists[tenant][pick], lists[1 - tenant][pick]]
    const mine = (contracts: Array<{ company: number }>) => contracts.every(({ company }) => company === companies[tenant])
    const folio = `F-${++folios}`
    if (kind === 'list' || kind === 'last') {
      const { count, results } = (await client.get(`contracts/?page_size=${pick + 1}${kind === 'last' ? '&page=last' : ''}`)).json()
      if (!mine(results) || results.length === 0 || results.length > count) throw new Error(`${kind}: ${JSON.stringify(results)}`)
    } else if (kind === 'filter') {
      const { count, results } = (await client.get(`contracts/?folio=${other.folio}`)).json()
      if (count !== 0 || results.length !== 0) throw new Error('a filter found another tenant\'s records')
    } else if (kind === 'search') {
      const { count, results } = (await client.get(`contracts/?search=${own.folio}&page_size=200`)).json()
      if (!mine(results) || count !== results.length || count === 0) throw new Error('search')
    } else if (kind === 'get' || kind === 'foreign') {
      const { statusCode, json } = await client.get(`contracts/${kind === 'get' ? own.id : other.id}/`)
      if (kind === 'foreign' ? statusCode !== 404 : (statusCode !== 200 || json().id !== own.id || !mine([json()]))) throw new Error(`${kind}: ${statusCode}`)
    } else if (kind === 'post') {
      // Both companies create the same folio concurrently: neither conflicts with the other.
      const { statusCode, json } = await client.post('contracts/', { folio, parent: own.id, contraparte: names[tenant] })
      if (statusCode !== 201 || json().folio !== folio || json().parent !== own.id || json().contraparte !== names[tenant] || !mine([json()])) throw new Error(`post: ${statusCode}`)
    } else if (kind === 'bill') {
      const { statusCode, json } = await client.post('estimates/', { contract: own.id, monto: '1' })
      if (statusCode !== 201 || json().contract !== own.id || json().contract_folio !== own.folio || json().monto_acumulado !== `${json().numero}.00` || !mine([json()])) throw new Error(`bill: ${statusCode}`)
    } else if (kind === 'patch') {
      const { statusCode, json } = await client.send('PATCH', `contracts/${own.id}/`, { descripcion: folio })
      if (statusCode !== 200 || json().descripcion !== folio || json().id !== own.id || !mine([json()])) throw new Error(`patch: ${statusCode}`)
    } else if (kind === 'bill foreign') {
      const { statusCode, json } = await client.post('estimates/', { contract: other.id })
      if (statusCode !== 400 || Object.keys(json().errors).join() !== 'contract') throw new Error(`${kind}: ${statusCode}`)
    } else {
      const field = kind === 'bad parent' ? 'parent' : 'contraparte'
      const { statusCode, json } = await client.post('contracts/', { folio, [field]: field === 'parent' ? other.id : names[1 - tenant] })
      if (statusCode !== 400 || Object.keys(json().errors).join() !== field) throw new Error(`${kind}: ${statusCode}`)
    }
  }

  async function holds (t: Test): Promise<void> {
    mixed = { 'read only': 0, 'read write': 0 }
    await fc.assert(fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 40 }), async requests => {
      await Promise.all(requests.map(play))
    }), { numRuns: 8, endOnFailure: true })
    t.ok(mixed['read only'] > 0 && mixed['read write'] > 0, 'turns were shared')
    t.same(await psql('select company_id from company_revisions r where contracts <> (select count(*) from contracts c where c.company_id = r.company_id)'), [])
    t.same(await psql('select company_id from company_revisions r where estimates <> (select count(*) from estimates e where e.company_id = r.company_id)'), [])
    t.same(await psql('select contract_id from estimates group by 1 having max(numero) <> count(*)'), [])
    t.same(await psql('select c.id from contracts c join contracts p on p.id = c.parent_id where p.company_id <> c.company_id'), [])
  }

  await t.test('each tenant gets only its own company\'s rows', holds)

  await t.test('each tenant gets only its own company\'s rows without the policies', async (t) => {
    await psql('alter table contracts disable row level security')
    await psql('alter table contrapartes disable row level security')
    await psql('alter table estimates disable row level security')
    await holds(t)
  })
})
