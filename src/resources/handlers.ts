import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { ValidationError } from '../errors.ts'
import { bodyLimits } from '../http/body-limits.ts'
import { etag, urlTag, versionPrecondition } from '../http/etag.ts'
import { pick } from '../http/fields.ts'
import { envelope } from '../http/links.ts'
import { idempotencyKey, type IdempotencyKey } from '../idempotency/key.ts'
import { post } from '../idempotency/post.ts'
import { BulkAnswer, BulkBody, mostItems } from '../schemas/list.ts'
import type { Writer } from '../tenancy/tenant.ts'
import { ExactNumber } from '../validation/exact-json.ts'
import type { Row } from '../database/sql.ts'
import { inputOf, itemsOf } from './input.ts'
import type { ListQuery } from './page.ts'
import type { Resource } from './resource.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** GET of a resource: a page in the envelope. */
export function list (resource: Resource): Handler {
  return async (request, reply) => {
    const query = request.query as ListQuery
    return await reply.remember(async () => {
      const page = await request.tenant.page(resource, query)
      const body = envelope(page, request.origin(), request)
      if (query.fields === undefined) return { body, revision: page.revision }
      const wanted = query.fields
      return { body: JSON.stringify({ ...body, results: page.results.map(record => pick(record, wanted)) }), revision: page.revision }
    })
  }
}

/** GET of one record. */
export function retrieve (resource: Resource): Handler {
  return async (request, reply) => {
    const { id } = request.params as { id: string }
    const { fields } = request.query as { fields?: string[] }
    return await reply.remember(async () => {
      const record = await request.tenant.record(resource, id)
      const body = fields === undefined ? record : JSON.stringify(pick(record, fields))
      return { body, revision: record['revision'], version: record['version'] }
    })
  }
}

/** POST: 201 with the record and its address. */
export function create (resource: Resource): Handler {
  return async (request, reply) => {
    const input = inputOf(request, resource)
    return await post<Writer>(reply, keyOf(request, input), request.tenant, async (writer) => {
      const record = await writer.create(resource, input)
      const location = `${request.origin()}/api/v1/${resource.name}/${record['id']}/`
      return { headers: { location, etag: writtenTag(request, location, record) }, body: record }
    })
  }
}

/** POST of many: 201 with all the records. */
export function bulk (resource: Resource): Handler {
  return async (request, reply) => {
    const asked = itemsOf(request, resource)
    return await post<Writer>(reply, keyOf(request, asked), request.tenant, async (writer) => {
      const results = await writer.bulk(resource, asked.items, asked.upsert)
      return { headers: {}, body: { count: results.length, results } }
    })
  }
}

const bulkDescription = `Up to ${mostItems} items and ${bodyLimits.bulk / 2 ** 20} MiB. All are written or none, in the order given; what is wrong is told by item (\`items.3.folio\`). With \`"upsert": "external_id"\` items whose \`external_id\` a record has change that record.`

/** Common options of the routes of {@link bulk}. Checks the number of items before the schema checks each. */
export function bulkOptions<T extends TSchema> ({ name }: Resource, body: T, record: TSchema): RouteShorthandOptions {
  return {
    config: { access: 'edit' },
    attachValidation: true,
    bodyLimit: bodyLimits.bulk,
    preValidation: async ({ body }) => {
      const { items } = Object(body) as { items?: unknown }
      if (!Array.isArray(items)) return
      // A number is no item, however exact, and must not be taken for an object.
      for (const [index, item] of items.entries()) if (item instanceof ExactNumber) items[index] = Number(item.source)
      if (items.length > mostItems) throw new ValidationError([{ field: 'items', key: 'maxItems', values: { max_length: mostItems } }])
    },
    schema: { operationId: `bulk${name.charAt(0).toUpperCase()}${name.slice(1)}`, summary: 'Create or change many, all or none', description: bulkDescription, body: BulkBody(body, record), response: { 201: BulkAnswer(record) } }
  }
}

/** PUT and PATCH: the fields that the body has change; the schemas differ in what they require. */
export function update (resource: Resource): Handler {
  return async (request, reply) => {
    const { id } = request.params as { id: string }
    const record = await request.tenant.update(resource, id, inputOf(request, resource), versionPrecondition(request.headers['if-match']))
    return await reply.header('etag', writtenTag(request, request.origin() + request.url, record)).send(record)
  }
}

/** DELETE: 204. */
export function remove (resource: Resource): Handler {
  return async (request, reply) => {
    const { id } = request.params as { id: string }
    await request.tenant.remove(resource, id, versionPrecondition(request.headers['if-match']))
    return await reply.code(204).send()
  }
}

function keyOf (request: FastifyRequest, asked: unknown): IdempotencyKey | undefined {
  return idempotencyKey(request, request.tenant, asked)
}

/**
 * The ETag of a written record for the next `If-Match`. Its revision is that of before the write, which has passed: nothing is
 * ever taken for fresh by it.
 */
function writtenTag ({ tenant }: FastifyRequest, address: string, record: Row): string {
  return etag(tenant.company, tenant.revision, urlTag(address), record['version'])
}
