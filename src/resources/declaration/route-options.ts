import type {
  FastifyContextConfig, FastifyRequest, FastifySchema, preValidationAsyncHookHandler, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault, RouteGenericInterface, RouteShorthandOptionsWithHandler
} from 'fastify'
import { ValidationError } from '../../http/errors.ts'
import { bodyLimits } from '../../http/body-limits.ts'
import type { Declared } from './declare.ts'
import type { Input } from './resource.ts'

/** The parts of a resource for the options of its routes. */
export type Described = Pick<Declared, 'name' | 'title' | 'one' | 'many' | 'access' | 'routes' | 'once' | 'isNested' | 'schemas' | 'item' | 'joins' | 'detail' | 'detailJoins' | 'filterJoins' | 'ordering' | 'filters' | 'search'>

/** Access, limits and schemas of a route, and its texts in the OpenAPI document. */
interface Options {
  config: FastifyContextConfig
  schema: FastifySchema
  attachValidation?: boolean
  bodyLimit?: number
  preValidation?: preValidationAsyncHookHandler
}

/** A route without method and path: `app.get('/', route)`. */
export type Route<G extends RouteGenericInterface = RouteGenericInterface> = RouteShorthandOptionsWithHandler<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, G>

/** A route of one record. */
export interface ById {
  Params: { id: string }
}

/** A read that can request some fields only. */
export interface SomeFields {
  Querystring: { fields?: string[] }
}

/** SQL of a resource's answers, orderings and filters. */
function sqlOf ({ item, joins, detail, detailJoins, filterJoins, ordering, filters, search }: Described): string {
  const conditions = Object.values(filters).map(filter => [filter('1'), filter('null')])
  return JSON.stringify([item, joins, detail, detailJoins, filterJoins, ordering, conditions, search])
}

const plural = ({ name }: Described) => name.charAt(0).toUpperCase() + name.slice(1)

export function listOptions (resource: Described): Options {
  const { many, access, schemas } = resource
  return {
    config: { access: access.read, sql: sqlOf(resource) },
    schema: { operationId: `list${plural(resource)}`, summary: `List ${many}`, querystring: schemas.listQuery, response: { 200: schemas.page } }
  }
}

export function retrieveOptions (resource: Described): Options {
  const { title, one, access, schemas } = resource
  return {
    config: { access: access.read, sql: sqlOf(resource) },
    schema: { operationId: `retrieve${title}`, summary: `Retrieve ${one}`, querystring: schemas.recordQuery, response: { 200: schemas.record } }
  }
}

export function createOptions ({ title, one, access, schemas }: Described): Options {
  return {
    config: { access: access.write },
    attachValidation: true,
    schema: { operationId: `create${title}`, summary: `Create ${one}`, body: schemas.create, response: { 201: schemas.created } }
  }
}

/** Options of PUT. */
export function updateOptions ({ title, one, access, routes, isNested, schemas }: Described): Options {
  const { description, response = {} } = routes.update ?? {}
  return {
    config: { access: access.write },
    ...isNested ? { bodyLimit: bodyLimits.nested } : {},
    attachValidation: true,
    schema: { operationId: `update${title}`, summary: `Update ${one}`, ...description === undefined ? {} : { description }, body: schemas.update, response: { 200: schemas.record, ...response } }
  }
}

/** Options of PATCH. */
export function patchOptions (resource: Described): Options {
  const { title, one, schemas } = resource
  const { schema, ...options } = updateOptions(resource)
  return { ...options, schema: { ...schema, operationId: `partialUpdate${title}`, summary: `Partially update ${one}`, body: schemas.patch } }
}

export function removeOptions ({ title, one, access, routes }: Described): Options {
  return {
    config: { access: access.remove },
    schema: { operationId: `delete${title}`, summary: `Delete ${one}`, ...routes.remove }
  }
}

const bulkDescription = (maxItems: number) => `Up to ${maxItems} items and ${bodyLimits.bulk / 2 ** 20} MiB. Writes all items or none, in the given order. Problems name the item (\`items.3.folio\`). With \`"upsert": "external_id"\`, an item with the \`external_id\` of an existing record updates that record. With \`"partial": true\`, valid items are written although others are refused: the answer is 200, with the record or the errors of each item.`

/** Options of a bulk POST. The number of items is checked before the schema checks each item. */
export function bulkOptions (resource: Described): Options {
  const { access, schemas } = resource
  const { maxItems } = schemas.bulk.properties['items'] as unknown as { maxItems: number }
  return {
    config: { access: access.write },
    attachValidation: true,
    bodyLimit: bodyLimits.bulk,
    preValidation: async ({ body }) => {
      const { items } = Object(body) as { items?: unknown }
      if (Array.isArray(items) && items.length > maxItems) throw new ValidationError([{ field: 'items', key: 'maxItems', values: { max_length: maxItems } }])
    },
    schema: { operationId: `bulk${plural(resource)}`, summary: `Create or update ${resource.many} in bulk`, description: bulkDescription(maxItems), body: schemas.bulk, response: { 200: schemas.partialBulkAnswer, 201: schemas.bulkAnswer } }
  }
}

/** A resource with routes. */
export interface Served extends Described {
  /** Fields that bodies can change. */
  writable: string[]
  /** Whether bodies have fields that are not part of answers, such as passwords. */
  hasSecrets: boolean
  /** Runs before the transaction, for example to hash a password. Adds problems to the input. */
  prepare?: (request: FastifyRequest, input: Input) => Promise<Input>
}
