import t from 'tap'
import { denied, demoIds, missing } from '../../../../../support/accounts.ts'
import { invalid } from '../../../../../support/invalid.ts'
import { build } from '../../../../../support/helper.ts'

const server = await build(t)
const { as } = server
const { customers } = await demoIds(server)
const [root, support, corporativo] = [await as('superusuario@demo.example'), await as('soporte@demo.example'), await as('corporativo@demo.example')]

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

t.test('all errors are reported together, in both languages', async (t) => {
  for (const [body, errors] of [
    [{}, { nombre: ['This field is required.'] }],
    [{ nombre: ' ', color: 1 }, { nombre: ['This field may not be blank.'], color: ['Unknown field.'] }],
    [{ nombre: 'x'.repeat(201) }, { nombre: ['Ensure this field has no more than 200 characters.'] }],
    [{ nombre: null }, { nombre: ['This field may not be null.'] }],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }]
  ] as Array<[object, Record<string, string[]>]>) {
    const response = await root.post('customers/', body)
    t.equal(response.statusCode, 400, JSON.stringify(body))
    t.strictSame(response.json(), invalid(errors), JSON.stringify(body))
  }
  t.strictSame((await root.post('customers/', {}, { 'accept-language': 'es' })).json(), invalid({ nombre: ['Este campo es requerido.'] }, 'es'))
  t.equal((await root.send('PUT', `customers/${customers['Grupo Otra']}/`, {})).statusCode, 400)
})

t.test('a Corporativo is refused on every route of customers', async (t) => {
  for (const [method, url, body] of [['GET', 'customers/'], ['GET', 'customers/?foo=1'], ['GET', `customers/${customers['Constructora Demo']}/`], ['GET', 'customers/0/'], ['POST', 'customers/', {}], ['PATCH', `customers/${customers['Constructora Demo']}/`, { nombre: 'Mía' }]] as const) {
    const response = await corporativo.send(method, url, body)
    t.equal(response.statusCode, 403, `${method} ${url}`)
    t.strictSame(response.json(), denied)
  }
})

t.test('an absent id is 404', async (t) => {
  for (const id of [0, 2_000_000_000, '99999999999999999999', 'x']) {
    for (const [method, body] of [['GET'], ['PUT', { nombre: 'x' }], ['PATCH', {}]] as const) {
      const response = await root.send(method, `customers/${id}/`, body)
      t.equal(response.statusCode, 404, `${method} ${id}`)
      t.strictSame(response.json(), missing)
    }
  }
})
