import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'

const tooMany = 'Ensure that there are no more than'
const pk = (type: string) => `Incorrect type. Expected pk value, received ${type}.`
const absent = (id: string) => `Invalid pk "${id}" - object does not exist.`
const choice = (value: string, ...words: string[]) => `"${value}" is not a valid choice. Valid choices: ${words.join(', ')}.`
const moneda = (value: string) => choice(value, 'MXN', 'USD', 'EUR')
const estado = (value: string) => choice(value, 'vigente', 'suspendido', 'terminado', 'cancelado')
const notDate = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'

/** For each field: invalid JSON texts and their messages. */
const walk: Record<string, Record<string, string>> = {
  folio: { null: 'This field may not be null.', true: 'Not a valid string.', '[]': 'Not a valid string.', '{}': 'Not a valid string.', '""': 'This field may not be blank.' },
  descripcion: { null: 'This field may not be null.', false: 'Not a valid string.', '["a"]': 'Not a valid string.' },
  external_id: { true: 'Not a valid string.', '{}': 'Not a valid string.', '""': 'This field may not be blank.' },
  contraparte: { true: pk('bool'), 1.5: pk('float'), '1.0': pk('float'), '[1]': pk('list'), '{"id":1}': pk('dict'), 0: absent('0'), '-1': absent('-1'), '12345678901234567890': absent('12345678901234567890'), 2147483648: absent('2147483648'), 9007199254740992: absent('9007199254740992'), '"no such name"': 'Object with nombre=no such name does not exist.', '""': 'This field may not be blank.', '"  "': 'This field may not be blank.' },
  parent: { true: pk('bool'), '"uno"': pk('str'), '"1.0"': pk('str'), 1.5: pk('float'), '12345678901234567890': absent('12345678901234567890'), '"12345678901234567890"': absent('12345678901234567890'), '[]': pk('list'), 0: absent('0'), 2147483648: absent('2147483648'), 9007199254740992: absent('9007199254740992') },
  moneda: { null: 'This field may not be null.', 1: moneda('1'), '"mxn"': moneda('mxn'), '""': moneda(''), '"GBP"': moneda('GBP'), '[]': moneda('[]') },
  estado: { null: 'This field may not be null.', true: estado('true'), '"VIGENTE"': estado('VIGENTE'), '"abierto"': estado('abierto'), '"toString"': estado('toString') },
  fecha_inicio: { 20260101: notDate, '""': notDate, '"2026-02-29"': notDate, '"2026-13-01"': notDate, '"20260101"': notDate, '"0000-01-01"': notDate, '"2026-01-01T00:00:00Z"': notDate, '"infinity"': notDate, '"01/02/2026"': notDate },
  fecha_fin: { true: notDate, '"1900-02-29"': notDate, '"10000-01-01"': notDate, '"2026-04-31"': notDate, '"now"': notDate },
  ...Object.fromEntries(['anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje'].map(field => [field, {
    null: 'This field may not be null.', '""': 'A valid number is required.', '"diez"': 'A valid number is required.', true: 'A valid number is required.', '"10%"': 'A valid number is required.', '"1e1"': 'A valid number is required.', 100.01: 'Ensure this value is less than or equal to 100.', '"1000"': 'Ensure this value is less than or equal to 100.', '-0.01': 'Ensure this value is greater than or equal to 0.', '"16.001"': `${tooMany} 2 decimal places.`
  }]))
}

t.test('invalid values', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  const headers = { 'content-type': 'application/json' }
  const before = (await director.get('contracts/1/')).json()

  for (const [field, refusals] of Object.entries(walk)) {
    t.test(`${field}: an invalid value is 400 under the field only, in POST, PUT and PATCH, and nothing is written`, async (t) => {
      for (const [text, message] of Object.entries(refusals)) {
        const body = field === 'folio' ? `{"folio":${text}}` : `{"folio":"ON-NUEVO","${field}":${text}}`
        const answers = [
          await director.send('POST', 'contracts/', body, headers),
          await director.send('PUT', 'contracts/1/', body, headers),
          await director.send('PATCH', 'contracts/1/', `{"${field}":${text}}`, headers)
        ]
        for (const answer of answers) {
          t.equal(answer.statusCode, 400, text)
          t.strictSame(answer.json(), invalid({ [field]: [message] }), text)
        }
      }
      t.strictSame((await director.get('contracts/1/')).json(), before)
      t.equal((await director.get('contracts/?folio=ON-NUEVO')).json().count, 0)
    })
  }

  t.test('another tenant\'s contract and counterparty are as absent, by id and by name', async (t) => {
    const [contract] = await psql('select id from contracts where company_id = 3') as [{ id: number }]
    await psql("insert into contrapartes (company_id, nombre) values (3, 'Solo de Otra')")
    const [party] = await psql("select id from contrapartes where nombre = 'Solo de Otra'") as [{ id: number }]
    for (const send of [
      async (body: object) => await director.post('contracts/', { folio: 'AJENO', ...body }),
      async (body: object) => await director.send('PATCH', 'contracts/1/', body)
    ]) {
      t.strictSame((await send({ parent: contract.id, contraparte: party.id })).json().errors, {
        parent: [`Invalid pk "${contract.id}" - object does not exist.`],
        contraparte: [`Invalid pk "${party.id}" - object does not exist.`]
      })
      t.strictSame((await send({ contraparte: 'Solo de Otra' })).json().errors, { contraparte: ['Object with nombre=Solo de Otra does not exist.'] })
    }
    t.strictSame((await director.get('contracts/1/')).json(), before)
  })

  t.test('the limits of each range are valid', async (t) => {
    const { id } = (await director.post('contracts/', { folio: 'ORILLAS' })).json()
    const edges = { fecha_inicio: '0001-01-01', fecha_fin: '9999-12-31', anticipo_porcentaje: '100.00', retencion_porcentaje: '0.00', iva_porcentaje: '99.99' }
    t.match((await director.send('PATCH', `contracts/${id}/`, edges)).json(), edges)
    t.match((await director.send('PATCH', `contracts/${id}/`, { fecha_inicio: null, fecha_fin: null, external_id: null, parent: null, contraparte: null })).json(),
      { fecha_inicio: null, fecha_fin: null, external_id: null, parent: null, contraparte: null })
  })
})
