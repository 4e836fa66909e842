/** JSON values of other shapes than a field has, as JSON texts: with names of `Object.prototype`, and nested, long or exact values. */
export const shapes: readonly string[] = [
  'null', 'true', '0', '-1', '1.50', '1e400', '9'.repeat(400), '""', '"toString"', '"__proto__"', '"\\ud800"', '"\\u0000"',
  '[]', '["c1"]', '[["c1"]]', '[null]', '[{"toString":1}]', '[1.50]', '{}', '{"toString":1}', '{"toString":{"toString":null}}', '{"valueOf":"x"}', '{"toJSON":1}', '{"then":1}', '{"length":1e9}',
  '{"constructor":{"name":"x"}}', '{"hasOwnProperty":1}', '{"isPrototypeOf":1,"propertyIsEnumerable":1,"toLocaleString":1}', '{"ref":["c1"]}', '{"ref":{"toString":1}}', '{"ref":1}', '{"ref":null}', '{"ref":"c1","x":1}',
  '{"external_id":["a"]}', '{"id":{"toString":1}}', '{"source":"1.5"}', `${'['.repeat(3000)}${']'.repeat(3000)}`, `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`
]

type Schema = Record<string, any>

/** A route with a body, and the fields of the body. */
export interface Target {
  method: 'POST' | 'PUT' | 'PATCH'
  /** Path after `/api/v1/`, with ids. */
  url: string
  fields: string[]
  /** The field of a list of items, and their fields. */
  list?: { field: string, fields: string[] }
}

/** All routes of the OpenAPI document that take a body. @param user id of the user to change */
export function bodyTargets (document: Schema, user: number): Target[] {
  const resolve = (schema: Schema = {}): Schema => schema['$ref'] === undefined ? schema : document['components'].schemas[schema['$ref'].split('/').at(-1)]
  const fieldsOf = (schema: Schema) => Object.keys(resolve(schema)['properties'] ?? {})
  return Object.entries<Schema>(document['paths']).flatMap(([path, item]) => Object.entries<Schema>(item).flatMap(([method, operation]) => {
    const body = operation['requestBody']?.content?.['application/json']?.schema
    if (body === undefined) return []
    const properties: Array<[string, Schema]> = Object.entries(resolve(body)['properties'] ?? {})
    const list = properties.find(([field]) => field === 'items' || field === 'mutations')
    return [{
      method: method.toUpperCase() as Target['method'],
      url: path.replace('/api/v1/', '').replace('{id}', path.includes('/users/') ? String(user) : '1'),
      fields: fieldsOf(body),
      ...list === undefined ? {} : { list: { field: list[0], fields: fieldsOf(resolve(list[1])['items']) } }
    }]
  }))
}

const object = (fields: string[], shape: string, others: Record<string, string> = {}) => `{${Object.entries({ ...others, ...Object.fromEntries(fields.map(field => [field, shape])) }).map(([field, json]) => `${JSON.stringify(field)}:${json}`).join()}}`

/** Fields that get a shape alone. Over all shapes, each field gets one in ten. */
const alone = (fields: string[], shape: string) => fields.filter((_, index) => (index + shapes.indexOf(shape)) % 10 === 0)

/** Bodies with a shape: in place of the body, of all fields, of some fields alone, and the same in an item. @param valid texts of other fields */
export function shaped ({ fields, list }: Target, shape: string, valid: Record<string, string>): string[] {
  const own = [shape, object(fields, shape), ...alone(fields, shape).map(field => object([field], shape, valid))]
  if (list === undefined) return own
  const items = [shape, object(list.fields, shape), ...list.fields.map(field => object([field], shape, valid))]
  const outer: Record<string, string> = list.field === 'mutations' ? { device: '"0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11"' } : {}
  return [...own, object([], '', { ...outer, [list.field]: `[${items.join()}]` })]
}

let mutations = 0

/** A request of mutations whose bodies, bases and records have the shape in all fields, and in some alone. */
export function mutationsOf (resource: string, fields: string[], shape: string): string {
  const acknowledged = String(mutations)
  const mutation = (parts: Record<string, string>) => object([], '', { id: String(++mutations), resource: `"${resource}"`, ...parts })
  const bodies = [object(fields, shape), ...alone(fields, shape).map(field => object([field], shape))]
  return object([], '', {
    device: '"0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11"',
    acknowledged,
    mutations: `[${[
      ...bodies.map(body => mutation({ op: '"create"', body })),
      ...bodies.map(body => mutation({ op: '"update"', record: '1', body, base: body }))
    ].join()}]`
  })
}
