import { Type, type TSchema } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { Standard } from '../../../src/openapi/standard.ts'
import { Body, Choice, DayInput, EmailInput, MoneyInput, Nullable, PercentageInput, ReferenceInput, Text, UuidInput } from '../../../src/resources/declaration/schemas.ts'
import { Fields, ListQuery } from '../../../src/resources/declaration/list-schemas.ts'
import { formats } from '../../support/openapi/contract.ts'
import { fieldOf } from '../resources/validation/ajv.ts'

const uuid = '6128396f-c09b-4ec6-8699-43c5f7e3b230'

const fields: Record<string, [schema: TSchema, accepted: unknown[]]> = {
  text: [Text({ minLength: 1, maxLength: 8 }), ['A-1', 'a b']],
  longText: [Text({ maxLength: 20 }), ['', 'A-1']],
  money: [MoneyInput, ['1500', '1500.5', '1500.50', '0', '9999999999999999.99']],
  percentage: [PercentageInput, ['0', '16', '16.5', '100', '100.00']],
  decimal: [Type.Unsafe({ decimal: { whole: 4, places: 3, signed: true } }), ['-1500', '1500.505', '0', '-1', '1500.5']],
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

t.test('decimals are texts in the document, and the service accepts numbers too', async (t) => {
  const ajv = new Ajv2020({ formats })
  const numbers: Record<string, number[]> = { money: [0, 1500, 1500.5], percentage: [0, 16.5, 100], decimal: [-1, 1500.5] }
  for (const [name, values] of Object.entries(numbers)) {
    const { [name]: [schema] = [Type.Never()] } = fields
    t.equal(new Standard().of(schema).type, 'string', name)
    const admits = ajv.compile(new Standard().of(schema))
    for (const value of values) {
      t.notOk(admits(value), `${name}: ${value} is not in the document`)
      t.strictSame(fieldOf(schema)(JSON.stringify(value)).problems, [], `${name}: ${value} is accepted`)
    }
  }
})

t.test('an enumeration is a schema of its own, named by its title or its field', async (t) => {
  const words = ['a', 'b']
  const standard = new Standard(new Map([[words, 'ThingEstado']]))
  const estado = Type.Unsafe<string>({ type: 'string', enum: words })
  t.strictSame(standard.of({ ...estado, description: 'State.' }), { $ref: '#/components/schemas/ThingEstado', description: 'State.' })
  t.strictSame(standard.of(Nullable(Choice(['x', 'y'], { title: 'Kind' }))), { anyOf: [{ $ref: '#/components/schemas/Kind' }, { type: 'null' }] })
  t.strictSame(standard.components, { ThingEstado: { type: 'string', enum: ['a', 'b'] }, Kind: { type: 'string', enum: ['x', 'y'] } })
  t.throws(() => standard.of(Choice(['x', 'z'], { title: 'Kind' })), { message: 'two enumerations are named Kind' })
})

t.test('a body in the document has no read-only fields, and admits them', async (t) => {
  const Record = Type.Object({ id: Type.Integer(), folio: Type.String() })
  const { properties, additionalProperties } = new Standard().of(Body({ folio: Text({ maxLength: 8 }) }, {}, Record))
  t.strictSame([Object.keys(properties), additionalProperties], [['folio'], undefined])
  t.equal(new Standard().of(Body({ folio: Text({ maxLength: 8 }) }, {}, Type.Object({}))).additionalProperties, false)
})

t.test('a reference by id or by another id has a type for each', async (t) => {
  const standard = new Standard()
  t.strictSame(standard.of(ReferenceInput(['null'], { description: 'Id.' })), {
    anyOf: [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, { type: 'null' }, { $ref: '#/components/schemas/ByExternalId' }],
    description: 'Id.'
  })
  t.match(standard.components, { ByExternalId: { type: 'object', required: ['external_id'], additionalProperties: false } })
})

t.test('a comma-separated parameter is an array, an integer parameter a number', async (t) => {
  const standard = new Standard()
  t.match(standard.of(Fields(['id', 'folio'])), { type: 'array', items: { type: 'string', enum: ['id', 'folio'] } })
  const { properties } = standard.of(ListQuery(['id'], ['id'], { monto_min: MoneyInput }))
  t.match(properties.page_size, { type: 'integer', minimum: 1, maximum: 200 })
  t.match(properties.monto_min, { type: 'string', pattern: /\w/ })
})

t.test('a schema with a title is in the document once, even if nested', async (t) => {
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
