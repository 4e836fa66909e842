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
