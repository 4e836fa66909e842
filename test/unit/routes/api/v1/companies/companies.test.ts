import t from 'tap'
import { absent, demoIds, missing } from '../../../../../support/accounts.ts'
import { invalid, refuses } from '../../../../../support/invalid.ts'
import { build } from '../../../../../support/helper.ts'

const server = await build(t)
const { as, psql } = server
const { customers, companies, users } = await demoIds(server)
const [own, other] = [customers['Constructora Demo'], customers['Grupo Otra']]
const [norte, otraUno] = [companies['Obra Norte'], companies['Otra Uno']]
const [root, corporativo, support] = [await as('superusuario@demo.example'), await as('corporativo@demo.example'), await as('soporte@demo.example')]

t.test('a Corporativo creates companies of their own customer; another customer is 400, like an absent one', async (t) => {
  t.match((await corporativo.post('companies/', { nombre: 'Obra Este' })).json(), { nombre: 'Obra Este', customer: own })
  t.equal((await corporativo.post('companies/', { nombre: 'Obra Oeste', customer: own })).statusCode, 201)
  for (const customer of [other, 2_000_000_000]) {
    for (const response of [await corporativo.post('companies/', { nombre: 'Ajena', customer }), await corporativo.send('PATCH', `companies/${norte}/`, { customer })]) {
      refuses(t, response, { customer: absent(customer) })
    }
  }
  t.strictSame((await corporativo.post('companies/', { nombre: 'x', customer: null })).json(), invalid({ customer: ['This field may not be null.'] }))
})

t.test('a new company is a tenant immediately: it can be made active and has its own contracts', async (t) => {
  const { id } = (await corporativo.post('companies/', { nombre: 'Obra Viva' })).json()
  t.equal((await corporativo.send('PATCH', 'me/', { company: id })).statusCode, 200)
  t.equal((await corporativo.post('contracts/', { folio: 'V-1' })).statusCode, 201)
  t.equal((await corporativo.get('contracts/')).json().count, 1)
})

t.test('a Superusuario must name the customer', async (t) => {
  t.strictSame((await root.post('companies/', { nombre: 'Sin cliente' })).json(), invalid({ customer: ['This field is required.'] }))
  t.strictSame((await root.post('companies/', {})).json(), invalid({ nombre: ['This field is required.'], customer: ['This field is required.'] }))
  t.match((await root.post('companies/', { nombre: 'Otra Dos', customer: other })).json(), { nombre: 'Otra Dos', customer: other })
  t.match((await root.send('PUT', `companies/${norte}/`, { nombre: 'Obra Norte' })).json(), { customer: own }, 'PUT keeps omitted fields')
})

t.test('a name is unique per customer', async (t) => {
  const taken = invalid({ nombre: ['This field must be unique.'] })
  for (const response of [
    await corporativo.post('companies/', { nombre: ' Obra Norte ' }),
    await root.post('companies/', { nombre: 'Obra Norte', customer: own }),
    await corporativo.send('PATCH', `companies/${companies['Obra Sur']}/`, { nombre: 'Obra Norte' })
  ]) {
    t.equal(response.statusCode, 400)
    t.strictSame(response.json(), taken)
  }
  t.equal((await root.post('companies/', { nombre: 'Obra Norte', customer: other })).statusCode, 201, 'another customer may use that name')
  t.equal((await corporativo.send('PUT', `companies/${norte}/`, { nombre: 'Obra Norte' })).statusCode, 200, 'a company does not conflict with itself')
  const [{ id }] = await psql("insert into companies (nombre, customer_id) values ('Obra Sur', $1) returning id", [other]) as [{ id: number }]
  t.strictSame((await root.send('PATCH', `companies/${id}/`, { customer: own })).json(), taken, 'a move to a customer with that name is refused')
})

t.test('a company can move to another customer only if its members can', async (t) => {
  const [{ count }] = await psql('select count(*)::int as count from memberships where company_id = $1', [otraUno]) as [{ count: number }]
  refuses(t, await root.send('PATCH', `companies/${otraUno}/`, { customer: own }), { customer: [`Users of another customer have memberships in this company (${count}). Remove them first.`] })

  const otra = await as('director@otra.example')
  t.equal((await otra.get('contracts/')).statusCode, 200)
  for (const { id } of (await root.get(`memberships/?company=${otraUno}`)).json().results) await root.send('DELETE', `memberships/${id}/`)
  t.match((await root.send('PATCH', `companies/${otraUno}/`, { customer: own })).json(), { customer: own })
  t.equal((await otra.get('contracts/')).json().code, 'no_active_company')
  t.match((await corporativo.get(`companies/${otraUno}/`)).json(), { customer: own }, 'and its new customer’s Corporativo reaches it')

  t.equal((await root.send('PATCH', `companies/${otraUno}/`, { customer: other })).statusCode, 200)
  t.equal((await corporativo.get(`companies/${otraUno}/`)).statusCode, 404, 'only as long as it belongs to that customer')
  t.equal((await corporativo.send('PATCH', 'me/', { company: otraUno })).statusCode, 400)
  await root.post('memberships/', { user: users['director@otra.example'], company: otraUno, nivel_acceso: 3 })
})

t.test('lists contain the reachable companies, and filter by customer', async (t) => {
  const seen = async (client: typeof root, query = '') => (await client.get(`companies/?page_size=200&${query}`)).json().results.map(({ customer }: { customer: number }) => customer)
  t.strictSame([...new Set(await seen(corporativo))], [own])
  t.strictSame([...new Set(await seen(support))].sort(), [own, other])
  t.strictSame([...new Set(await seen(support, `customer=${other}`))], [other])
  t.strictSame(await seen(corporativo, `customer=${other}`), [])
  t.strictSame(await seen(support, 'customer=99999999999'), [])
  t.strictSame((await support.get('companies/?customer=x')).json(), invalid({ customer: ['"x" is not a valid choice.'] }))
  t.equal((await support.send('DELETE', `companies/${norte}/`)).statusCode, 405)
  t.strictSame((await corporativo.get(`companies/${otraUno}/`)).json(), missing)
})

t.test('times without an offset are in the time zone of the company', async (t) => {
  const { id, zona_horaria: usual } = (await corporativo.post('companies/', { nombre: 'Obra Tijuana' })).json()
  t.equal(usual, 'America/Mexico_City')
  t.equal((await corporativo.send('PATCH', 'me/', { company: id })).statusCode, 200)
  const contract = (await corporativo.post('contracts/', { folio: 'Z-1' })).json().id
  const zone = async (name: string) => await corporativo.send('PATCH', `companies/${id}/`, { zona_horaria: name })
  const file = { contract, nombre: 'x', tipo: 'image/jpeg', bytes: 1, sha256: 'a'.repeat(64) }
  const photo = async (time: string) => (await corporativo.post('adjuntos/', { ...file, tomada_en: time })).json()
  const since = async (time: string) => (await corporativo.get(`contracts/?updated_since=${time}`)).json().count
  const entries = async (query: string) => (await corporativo.get(`history/?resource=contracts&${query}`)).json().results.length

  await psql("update contracts set descripcion = 'x' where id = $1", [contract])
  // The record changed within the last minute, so only the offset decides whether it is found.
  const local = (hours: number) => new Date(Date.now() - 60_000 + hours * 3_600_000).toISOString().slice(0, 19)
  t.match(await photo('2026-07-01T10:00'), { tomada_en: '2026-07-01T16:00:00.000000Z' })
  t.match(await photo('2026-07-01T10:00Z'), { tomada_en: '2026-07-01T10:00:00.000000Z' })
  t.match(await photo('9999-12-31T23:00'), { errors: { tomada_en: [/wrong format/] } })
  t.equal(await since(local(-6)), 1)
  t.equal(await since(local(0)), 0)
  t.equal(await since(`${local(0)}Z`), 1)
  t.equal(await entries(`desde=${local(-6)}`), 2)
  t.equal(await entries(`desde=${local(0)}`), 0)

  // At the next request, also for the kept session and the cached page.
  t.match((await zone('UTC')).json(), { zona_horaria: 'UTC' })
  t.equal(await since(local(0)), 1)
  t.match(await photo('2026-07-01T10:00'), { tomada_en: '2026-07-01T10:00:00.000000Z' })
  await zone('america/tijuana')
  t.match(await photo('2026-07-01T10:00'), { tomada_en: '2026-07-01T17:00:00.000000Z' })
  const unknown = { zona_horaria: ['Use the name of a time zone, such as America/Mexico_City.'] }
  refuses(t, await zone('UTC-6'), unknown)
  // As if the database did not know a name that Node knows. Triggers fire in the order of their names.
  await psql("create function forget_apia() returns trigger language plpgsql as $$ begin new.zona_horaria := 'Pacific/Forgotten'; return new; end $$")
  await psql("create trigger forget_apia before insert or update on companies for each row when (new.zona_horaria = 'Pacific/Apia') execute function forget_apia()")
  refuses(t, await zone('Pacific/Apia'), unknown)
  refuses(t, await corporativo.post('companies/', { nombre: 'Obra Apia', zona_horaria: 'Pacific/Apia' }), unknown)
  const violates = { code: '23514', constraint: 'companies_zona_horaria_known' }
  await t.rejects(psql("update companies set zona_horaria = 'America/Nowhere' where id = $1", [id]), violates)

  const device = '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11'
  const fields = { ...file, tomada_en: '2026-01-31T23:30' }
  const made = (await corporativo.post('mutations/', { device, mutations: [{ id: 1, op: 'create', resource: 'adjuntos', body: fields }] })).json()
  const record = made.results[0].record.id
  t.match((await corporativo.get(`adjuntos/${record}/`)).json(), { tomada_en: '2026-02-01T07:30:00.000000Z' })
  const edit = { id: 2, op: 'update', resource: 'adjuntos', record, base: { tomada_en: '2026-01-31T23:30' }, body: { tomada_en: '2026-01-31T23:00' } }
  t.match((await corporativo.post('mutations/', { device, mutations: [edit] })).json(), { results: [{ status: 200 }] })
})
