import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { compile } from '../../../../src/resources/validation/compile.ts'
import { parseExactJson } from '../../../../src/resources/validation/exact-json.ts'
import { problemsOf, typeName } from '../../../../src/resources/validation/problems.ts'

/** The problems of a JSON text under a schema, as sorted texts `field: key`. */
function problemKeys (schema: object, json: string, context?: string): string[] {
  const validate = compile(schema)
  const body = parseExactJson(json)
  return validate(body) ? [] : problemsOf(validate.errors ?? [], context).map(({ field, key }) => `${field}: ${key}`).sort()
}

const contract = (json: string) => problemKeys(contracts.schemas.create, json)

t.test('all problems of a body are listed, each under its field', async (t) => {
  t.strictSame(contract('{}'), ['folio: required'])
  t.strictSame(contract('{"folio":"","monto":"1.234","moneda":"GBP","fecha_inicio":"2026-02-30","parent":"x","anticipo_porcentaje":101,"foliio":1}'), [
    'anticipo_porcentaje: maxValue', 'fecha_inicio: notDate', 'folio: blank', 'foliio: unknownField', 'moneda: invalidChoiceOf', 'monto: maxDecimalPlaces', 'parent: incorrectPk'
  ].sort())
})

t.test('each invalid field has one problem', async (t) => {
  t.strictSame(contract('{"folio":null,"monto":null,"estado":null,"iva_porcentaje":null}'), ['estado: null', 'folio: null', 'iva_porcentaje: null', 'monto: null'])
  t.strictSame(contract('{"folio":true,"monto":[],"estado":5,"fecha_fin":5,"parent":{}}'), ['estado: invalidChoiceOf', 'fecha_fin: notDate', 'folio: notString', 'monto: notNumber', 'parent: incorrectPk'])
  t.strictSame(contract('{"folio":"F","parent":0}'), ['parent: doesNotExist'])
  t.strictSame(contract('{"folio":"F","parent":0.5,"contraparte":1e2}'), ['contraparte: incorrectPk', 'parent: incorrectPk'])
})

t.test('null is accepted where null is a value', async (t) => {
  t.strictSame(contract('{"folio":"F","contraparte":null,"parent":null,"fecha_inicio":null,"fecha_fin":null,"external_id":null}'), [])
})

t.test('a body that is not an object is an error of no field', async (t) => {
  for (const json of ['[]', '"folio"', '5', '1.5', 'true']) t.strictSame(contract(json), ['non_field_errors: notObject'], json)
})

t.test("problems of a nested list have the item's index, and field names keep their characters", async (t) => {
  const item = { type: 'object', properties: { folio: { type: 'string', text: true, maxLength: 3 } }, required: ['folio'], additionalProperties: false }
  const bulk = { type: 'object', properties: { items: { type: 'array', items: item, maxItems: 4 }, 'a/b~c': { type: 'boolean' } } }
  t.strictSame(problemKeys(bulk, '{"items":[{"folio":"1"},{},{"folio":"1234"},{"folio":null,"x":1}],"a/b~c":"nada"}'), [
    'a/b~c: notBoolean', 'items.1.folio: required', 'items.2.folio: maxLength', 'items.3.folio: null', 'items.3.x: unknownField'
  ])
  t.strictSame(problemKeys(bulk, '{"items":{}}'), ['items: notList'])
  t.strictSame(problemKeys(bulk, '{"items":[5]}'), ['items.0: notObject'])
  t.strictSame(problemKeys(bulk, `{"items":[${Array(5).fill('{"folio":"1"}').join(',')}]}`), ['items: maxItems'])
})

t.test('problems of a query name parameters, without indexes', async (t) => {
  const query = { type: 'object', properties: { fields: { type: ['string', 'array'], list: true, items: { type: 'string', enum: ['id'] } } }, additionalProperties: false }
  t.strictSame(problemKeys(query, '{"fields":"id,x","pagina":"2"}', 'querystring'), ['fields: invalidChoiceOf', 'pagina: unknownParameter'])
})

t.test('a problem has the input or its type', async (t) => {
  const validate = compile(contracts.schemas.create)
  validate({ folio: 'F', moneda: 'GBP', parent: 'x' })
  const values = Object.fromEntries(problemsOf(validate.errors ?? []).map(({ field, values }) => [field, values]))
  t.match(values, { moneda: { input: 'GBP' }, parent: { data_type: 'str' } })
})

t.test('types have their names in Python', async (t) => {
  const names: Array<[string, string]> = [['[]', 'list'], ['{}', 'dict'], ['"a"', 'str'], ['5', 'int'], ['1.5', 'float'], ['1.50', 'float'], ['1e2', 'float'], ['true', 'bool'], ['null', 'NoneType'], ['12345678901234567890', 'int'], ['-0', 'int']]
  for (const [json, name] of names) t.equal(typeName((parseExactJson(`[${json}]`) as unknown[])[0]), name, json)
})
