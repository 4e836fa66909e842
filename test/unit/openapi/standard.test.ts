import { Type, type TSchema } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { Standard } from '../../../src/openapi/standard.ts'
import { Choice, DayInput, EmailInput, MoneyInput, Nullable, PercentageInput, Text, UuidInput } from '../../../src/resources/declaration/schemas.ts'
import { Fields, ListQuery } from '../../../src/resources/declaration/list-schemas.ts'
import { formats } from '../../support/openapi/contract.ts'
import { fieldOf } from '../resources/validation/ajv.ts'

const uuid = '6128396f-c09b-4ec6-8699-43c5f7e3b230'

const fields: Record<string, [schema: TSchema, accepted: unknown[]]> = {
  text: [Text({ minLength: 1, maxLength: 8 }), ['A-1', 'a b']],
  longText: [Text({ maxLength: 20 }), ['', 'A-1']],
  money: [MoneyInput, ['1500', '1500.5', '1500.50', '0', 0, 1500, 1500.5, '9999999999999999.99']],
  percentage: [PercentageInput, ['0', '16', '16.5', '100', '100.00', 0, 16.5, 100]],
  decimal: [Type.Unsafe({ decimal: { whole: 4, places: 3, signed: true } }), ['-1500', '1500.505', '0', -1, 1500.5]],
  hash: [Type.String({ isHash: true }), ['0aB1'.repeat(16)]],
  day: [Nullable(DayInput), ['2026-03-01', '2024-02-29', null]],
  email: [EmailInput, ['obras@example.mx']],
  anyEmail: [Type.String({ isEmail: true, maxLength: 254 }), ['', 'obras@example.mx']],
  uuid: [UuidInput, [uuid]],
  rfc: [Nullable(Type.String({ rfc: true })), ['XAXX010101000', null]],
  instant: [Type.String({ isInstant: true }), ['2026-03-01T15:04:05Z']],
  choice: [Choice(['MXN', 'USD']), ['USD']]
}

const tricky = [
  '', ' ', 'x', 'x'.repeat(300), 'A-1', ' A-1 ', '1500', '1500.505', '1e2', '-1', '+1', '.5', '5.', 'NaN', '99999999999999999', '100.01', '101', '2026-02-29', '2026-3-1', '2026-13-01',
  '2026-03-01T25:00:00Z', '2026-03-01', uuid, `${uuid}0`, 'obras@example', 'obras@@example.mx', 'XAXX010101', 'MXN', 'mxn', 0, 1, -1, 101, 1e16, 1500.5, null, true, [], {}, ['x']
]

t.test('the service accepts what a schema of the document admits', async (t) => {
  const ajv = new Ajv2020({ allowUnionTypes: true, formats })
  for (const [name, [schema, accepted]] of Object.entries(fields)) {
    const admits = ajv.compile(new Standard().of(schema))
    const take = fieldOf(schema)
    for (const value of accepted) t.ok(admits(value), `${name}: ${JSON.stringify(value)} is valid in the document`)
    for (const value of [...accepted, ...tricky]) {
      if (admits(value)) t.strictSame(take(JSON.stringify(value)).problems, [], `${name}: ${JSON.stringify(value)} is accepted`)
    }
  }
})

t.test('a comma-separated parameter is an array, an integer parameter a number', async (t) => {
  const standard = new Standard()
  t.match(standard.of(Fields(['id', 'folio']), 'query'), { type: 'array', items: { type: 'string', enum: ['id', 'folio'] } })
  const { properties } = standard.of(ListQuery(['id'], ['id'], { monto_min: MoneyInput }), 'query')
  t.match(properties.page_size, { type: 'integer', minimum: 1, maximum: 200 })
  t.match(properties.monto_min, { type: 'string', pattern: /\w/ })
})

t.test('a schema with a title is in the document once, also if nested', async (t) => {
  const standard = new Standard()
  const Inner = Type.Object({ a: Type.String() }, { title: 'Inner' })
  const Tree = Type.Recursive(This => Type.Object({ inner: Inner, children: Type.Array(This) }, { title: 'Tree' }))
  t.strictSame(standard.of(Type.Array(Tree)), { type: 'array', items: { $ref: '#/components/schemas/Tree' } })
  t.match(standard.components, {
    Tree: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Inner' }, children: { items: { $ref: '#/components/schemas/Tree' } } } },
    Inner: { type: 'object', properties: { a: { type: 'string' } } }
  })
  t.notMatch(JSON.stringify(standard.components), /\$id|"title"/)
})
