import t from 'tap'
import { build } from '../../../../../support/helper.ts'

const { as, psql } = await build(t)
const [root, support] = [await as('superusuario@demo.example'), await as('soporte@demo.example')]
const names = async (query: string): Promise<string[]> => (await support.get(`customers/?${query}`)).json().results.map((one: { nombre: string }) => one.nombre)

t.test('a customer is created, read and renamed, and cannot be deleted', async (t) => {
  const made = await root.post('customers/', { nombre: '  Nueva  ' })
  t.equal(made.statusCode, 201)
  const customer = made.json()
  t.match(customer, { nombre: 'Nueva', version: 1, created_at: /Z$/, updated_at: /Z$/ })
  t.strictSame(Object.keys(customer), ['id', 'nombre', 'created_at', 'updated_at', 'version'])
  t.equal(made.headers.location, `http://localhost:80/api/v1/customers/${customer.id}/`)
  const url = `customers/${customer.id}/`
  t.strictSame((await support.get(url)).json(), customer)

  const put = await root.send('PUT', url, { ...customer, nombre: 'Renombrada' })
  t.equal(put.statusCode, 200)
  t.match(put.json(), { nombre: 'Renombrada', version: 2, created_at: customer.created_at })
  t.match((await root.send('PATCH', url, { nombre: 'Otra vez' })).json(), { nombre: 'Otra vez', version: 3 })
  t.match((await root.send('PATCH', url, {})).json(), { nombre: 'Otra vez', version: 3 }, 'an update without a change keeps the version')

  const refused = await root.send('DELETE', url)
  t.equal(refused.statusCode, 405)
  t.equal(refused.headers.allow, 'GET, HEAD, OPTIONS, PATCH, PUT')
})

t.test('ordering, search, fields, updated_since', async (t) => {
  await psql("insert into customers (nombre) select 'Cliente ' || n from generate_series(1, 45) n union all select 'Ávila Hermanos'")
  t.strictSame(await names('ordering=-nombre,id&search=cliente 4'), ['Cliente 45', 'Cliente 44', 'Cliente 43', 'Cliente 42', 'Cliente 41', 'Cliente 40', 'Cliente 4', 'Cliente 34', 'Cliente 24', 'Cliente 14'])
  t.strictSame(await names('search=AVILA hermanos'), ['Ávila Hermanos'])
  t.strictSame((await support.get('customers/?fields=nombre,id&search=ávila')).json().results.map((one: object) => Object.keys(one)), [['id', 'nombre']])
  const [{ now }] = await psql("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') as now") as [{ now: string }]
  t.strictSame(await names(`updated_since=${now}`), [])
  await psql("update customers set nombre = 'Tocado' where nombre = 'Cliente 7'")
  t.strictSame(await names(`updated_since=${now}`), ['Tocado'])
})
