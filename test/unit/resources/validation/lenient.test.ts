import t from 'tap'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { build, logIn } from '../../../support/helper.ts'

const { app, as, psql } = await build(t)
const [director, superusuario] = [await as('director@demo.example'), await as('superusuario@demo.example')]
const uuid = '6128396f-c09b-4ec6-8699-43c5f7e3b2ff'
const json = { 'content-type': 'application/json' }

t.test('input of Django REST Framework clients is accepted, and answered in the canonical form', async (t) => {
  const contract = await director.send('POST', 'contracts/', '{"folio":123,"descripcion":1.50,"external_id":12345678901234567890,"company":"1","parent":"1","monto":"7"}', json)
  t.equal(contract.statusCode, 201, contract.body)
  t.match(contract.json(), { folio: '123', descripcion: '1.50', external_id: '12345678901234567890', company: 1, parent: 1, monto: '7.00' })

  const { id } = contract.json()
  const estimate = await director.post('estimates/', { contract: String(id), company: '1', factura_uuid: uuid.replaceAll('-', '').toUpperCase(), periodo_inicio: '2026-3-1', periodo_fin: '2026-03-31' })
  t.equal(estimate.statusCode, 201, estimate.body)
  t.match(estimate.json(), { contract: id, company: 1, factura_uuid: uuid, periodo_inicio: '2026-03-01' })

  for (const [activo, kept] of [['true', true], ['False', false], [1, true], [0, false], ['on', true], ['No', false]] as const) {
    const party = await director.post('contrapartes/', { nombre: `Activo ${JSON.stringify(activo)}`, activo, telefono: 4771234567 })
    t.match(party.json(), { activo: kept, telefono: '4771234567' })
  }
  const count = async (activo: string) => (await director.get(`contrapartes/?search=Activo&activo=${activo}`)).json().count
  for (const [text, expected] of [['True', 3], ['1', 3], ['false', 3], ['0', 3]] as const) t.equal(await count(text), expected, text)

  const bulk = await director.send('POST', 'contracts/bulk/', '{"upsert":"external_id","items":[{"folio":124,"external_id":12345678901234567890,"parent":""},{"folio":"B","external_id":7,"contraparte":1}]}', json)
  t.match(bulk.json(), { count: 2, results: [{ id, folio: '124', parent: null }, { external_id: '7', contraparte_id: 1 }] }, 'in a bulk too')
  t.match((await director.send('PATCH', 'me/', { company: '2' })).json(), { company: 2 })
  t.equal((await director.post('contracts/', { folio: 'C', company: '2' })).json().company, 2)
  t.match((await director.send('PATCH', 'me/', { company: 1 })).json(), { company: 1 })

  const [{ id: user }] = await psql("select id from users where email = 'sincompania@demo.example'") as [{ id: number }]
  t.match((await superusuario.post('memberships/', { user: String(user), company: '1', nivel_acceso: ' 2 ' })).json(), { user, company: 1, nivel_acceso: 2 })
  t.match((await superusuario.send('PATCH', `users/${user}/`, { customer: '1', activo: 'yes', nombre: 7 })).json(), { customer: 1, activo: true, nombre: '7' })
})

t.test('a number as a password means its text', async (t) => {
  await superusuario.post('users/', { email: 'numeros@demo.example', password: 12345678, customer: '1' })
  const auth = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: ' Numeros@demo.example', password: 12345678 } })
  t.equal(auth.statusCode, 200)
  const own = await logIn(app, 'numeros@demo.example', '12345678')
  t.equal((await own.send('POST', 'me/password/', '{"current":12345678,"new":87654321.0}', json)).statusCode, 204)
  t.equal((await logIn(app, 'numeros@demo.example', '87654321.0')).access.length > 0, true)
  for (const password of [true, [demoPassword], { a: demoPassword }]) {
    const refused = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'director@demo.example', password } })
    t.strictSame([refused.statusCode, refused.json().errors], [400, { password: ['Not a valid string.'] }])
  }
})

t.test('the active company is accepted in any form, another one is an error', async (t) => {
  for (const company of ['1', 1, ' 1 ', '+01']) t.equal((await director.send('PATCH', 'contracts/1/', { company })).statusCode, 200, String(company))
  for (const company of ['2', 2, '1.0', '', null, true, [1], 'uno', '1e0', { id: 1 }, '12345678901234567890']) {
    t.strictSame((await director.send('PATCH', 'contracts/1/', { company })).json().errors, { company: ['This field must be your active company.'] }, JSON.stringify(company))
  }
})

t.test('equivalent forms of a request are the same request for an Idempotency-Key', async (t) => {
  const key = { 'idempotency-key': 'forms' }
  const first = await director.post('contracts/', { folio: 555, parent: '1' }, key)
  const again = await director.post('contracts/', { folio: '555', parent: 1 }, key)
  t.strictSame([first.statusCode, again.statusCode, again.body, again.headers['idempotency-replayed']], [201, 201, first.body, 'true'])
})

t.test('digits in a text that no field accepts are not read', async (t) => {
  for (const [length, message] of [[2000, 'Incorrect type. Expected pk value, received str.'], [1_000_000, 'Ensure this field has no more than 2000 characters.']] as const) {
    for (const parent of ['0'.repeat(length) + 'x', `${' '.repeat(length)}x`, `1.${'0'.repeat(length)}x`]) {
      const response = await director.send('POST', 'contracts/bulk/', { items: [{ folio: 'L', parent }] })
      t.strictSame(response.json().errors, { 'items.0.parent': [message] })
    }
  }
})
