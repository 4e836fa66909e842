import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'

t.test('errors', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  await director.post('contracts/', { folio: 'TOMADO', external_id: 'TOMADO' })

  const wrong = {
    folio: 'TOMADO',
    external_id: 'TOMADO',
    contraparte: 'Nadie',
    parent: 999_999,
    monto: '1.005',
    moneda: 'XXX',
    fecha_inicio: '2026-05-02',
    fecha_fin: '2026-05-01',
    iva_porcentaje: '101',
    foo: 1,
    company: 2
  }
  const messages = {
    folio: ['This field must be unique.'],
    external_id: ['This field must be unique.'],
    contraparte: ['Object with nombre=Nadie does not exist.'],
    parent: ['Invalid pk "999999" - object does not exist.'],
    monto: ['Ensure that there are no more than 2 decimal places.'],
    moneda: ['"XXX" is not a valid choice. Valid choices: MXN, USD, EUR.'],
    fecha_fin: ['fecha_fin may not be before fecha_inicio.'],
    iva_porcentaje: ['Ensure this value is less than or equal to 100.'],
    foo: ['Unknown field.'],
    company: ['This field must be your active company.']
  }

  t.test('of the schema, the rules and the database are reported together, by every writing method', async (t) => {
    for (const [method, url] of [['POST', 'contracts/'], ['PUT', 'contracts/1/'], ['PATCH', 'contracts/1/']] as const) {
      const response = await director.send(method, url, wrong)
      t.equal(response.statusCode, 400, method)
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
      t.strictSame(response.json(), invalid(messages), method)
    }
    t.match((await director.get('contracts/1/')).json(), { folio: 'ON-2026-001', version: 1 })
  })

  t.test('of an update include the cycle and the state change', async (t) => {
    const child = (await director.post('contracts/', { folio: 'BAJO-1', parent: 1 })).json().id
    const final = (await director.post('contracts/', { folio: 'FINAL', estado: 'cancelado' })).json().id
    await director.send('PATCH', `contracts/${child}/`, { parent: final })
    const response = await director.send('PATCH', `contracts/${final}/`, { ...wrong, parent: child, estado: 'vigente' })
    t.strictSame(response.json().errors, {
      ...messages,
      parent: ['A contract may not be moved under itself or one of its subcontracts.'],
      estado: ['"cancelado" cannot change to "vigente". It is final.']
    })
  })

  t.test('name unknown fields, with any name', async (t) => {
    const names = ['Folio', 'monto ', 'toString', 'constructor', 'hasOwnProperty', 'valueOf', 'detail', '', 'a.b', 'a/b~c']
    const response = await director.post('contracts/', { folio: 'DESCONOCIDO', ...Object.fromEntries(names.map(name => [name, 1])) })
    t.equal(response.statusCode, 400)
    t.strictSame(Object.entries(response.json().errors).sort(), names.map(name => [name, ['Unknown field.']]).sort())
  })
})
