import type {
  FastifyContextConfig, FastifySchema, preValidationAsyncHookHandler, RawReplyDefaultExpression, RawRequestDefaultExpression,
  RawServerDefault, RouteGenericInterface, RouteShorthandOptionsWithHandler
} from 'fastify'
import { limits } from '../../config/limits.ts'
import { ValidationError } from '../../http/errors.ts'
import { kinds, type RouteKind } from '../../http/route-kinds.ts'
import type { Access } from '../../auth/access.ts'
import type { AnyResource } from './account-resource.ts'
import type { Values } from './input.ts'

/** Access, limits and schemas of a route, and its texts in the OpenAPI document. */
interface Options {
  config: FastifyContextConfig & { access: Access, kind: RouteKind }
  schema: FastifySchema
  attachValidation?: boolean
  bodyLimit?: number
  preValidation?: preValidationAsyncHookHandler
}

/** A route without method and path: `app.get('/', route)`. */
export type Route<G extends RouteGenericInterface = RouteGenericInterface> =
  RouteShorthandOptionsWithHandler<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, G>

/** A route of one record. */
export interface ById {
  Params: { id: string }
}

/** A write. The body of an invalid request can be anything, which {@link inputOf} refuses. */
export interface WithBody {
  Body: Values
  Params: { id?: string }
}

/** A read that can request some fields only. */
export interface SomeFields {
  Querystring: { fields?: string[] }
}

/** SQL of a resource's answers, orderings and filters. */
function sqlOf ({ item, joins, detail, detailJoins, filterJoins, ordering, filters, totals, search }: AnyResource): string {
  const conditions = Object.values(filters).map(filter => [filter('1'), filter('null')])
  return JSON.stringify([item, joins, detail, detailJoins, filterJoins, ordering, conditions, totals, search])
}

const plural = ({ name }: AnyResource) => name.charAt(0).toUpperCase() + name.slice(1)

export function listOptions (resource: AnyResource): Options {
  const { name, many, access, schemas } = resource
  return {
    config: { access: access.read, kind: kinds.list, sql: sqlOf(resource), csv: true },
    schema: {
      tags: [name],
      operationId: `list${plural(resource)}`,
      summary: `List ${many}`,
      querystring: schemas.listQuery,
      response: { 200: schemas.page }
    }
  }
}

export function retrieveOptions (resource: AnyResource): Options {
  const { name, title, one, access, routes: { exampleId }, schemas } = resource
  return {
    config: { access: access.read, kind: kinds.record, exampleId, sql: sqlOf(resource) },
    schema: {
      tags: [name],
      operationId: `retrieve${title}`,
      summary: `Retrieve ${one}`,
      querystring: schemas.recordQuery,
      response: { 200: schemas.record }
    }
  }
}

export function createOptions ({ name, title, one, access, schemas }: AnyResource): Options {
  return {
    config: { access: access.write, kind: kinds.create },
    attachValidation: true,
    schema: {
      tags: [name], operationId: `create${title}`, summary: `Create ${one}`, body: schemas.create, response: { 201: schemas.created }
    }
  }
}

/** Options of PUT. */
export function updateOptions ({ name, title, one, access, routes, isNested, schemas }: AnyResource): Options {
  const { description, response = {} } = routes.update ?? {}
  return {
    config: { access: access.write, kind: kinds.replace, exampleId: routes.exampleId },
    ...isNested ? { bodyLimit: limits.bodies.nested } : {},
    attachValidation: true,
    schema: {
      tags: [name],
      operationId: `update${title}`,
      summary: `Update ${one}`,
      ...description === undefined ? {} : { description },
      body: schemas.update,
      response: { 200: schemas.record, ...response }
    }
  }
}

/** Options of PATCH. */
export function patchOptions (resource: AnyResource): Options {
  const { title, one, schemas } = resource
  const { schema, config, ...options } = updateOptions(resource)
  return {
    ...options,
    config: { ...config, kind: kinds.patch },
    schema: { ...schema, operationId: `partialUpdate${title}`, summary: `Partially update ${one}`, body: schemas.patch }
  }
}

export function removeOptions ({ kind, name, title, one, access, routes }: AnyResource): Options {
  return {
    config: { access: access.remove, kind: kind === 'account' ? kinds.removeAccount : kinds.remove, exampleId: routes.exampleId },
    schema: { tags: [name], operationId: `delete${title}`, summary: `Delete ${one}`, ...routes.remove }
  }
}

const bulkDescription = (maxItems: number) =>
  `Up to ${maxItems} items and ${limits.bodies.bulk / 2 ** 20} MiB. Writes all items or none, in the given order. ` +
  'Problems name the item (`items.3.folio`). With `"upsert": "external_id"`, an item with the `external_id` of an existing record ' +
  'updates that record; other fields with unique values can be the key too. With `"partial": true`, valid items are written although ' +
  'others are refused: the answer is 200, with the record or the errors of each item.'

/** Options of a bulk POST. The number of items is checked before the schema checks each item. */
export function bulkOptions (resource: AnyResource): Options {
  const { name, access, schemas } = resource
  const maxItems: number = schemas.bulk.properties['items']['maxItems']
  return {
    config: { access: access.write, kind: kinds.bulk },
    attachValidation: true,
    bodyLimit: limits.bodies.bulk,
    preValidation: async ({ body }) => {
      const items: unknown = Object(body).items
      if (Array.isArray(items) && items.length > maxItems) {
        throw new ValidationError([{ field: 'items', key: 'maxItems', values: { max_length: maxItems } }])
      }
    },
    schema: {
      tags: [name],
      operationId: `bulk${plural(resource)}`,
      summary: `Create or update ${resource.many} in bulk`,
      description: bulkDescription(maxItems),
      body: schemas.bulk,
      response: { 200: schemas.partialBulkAnswer, 201: schemas.bulkAnswer }
    }
  }
}
