import type { FastifyRequest } from 'fastify'
import { etag, urlTag, versionPrecondition } from '../http/etag.ts'
import { pick } from '../http/fields.ts'
import { envelope } from '../http/links.ts'
import { idempotencyKey, type IdempotencyKey } from '../idempotency/key.ts'
import { post } from '../idempotency/post.ts'
import type { Writer } from '../tenancy/tenant.ts'
import type { Row } from '../database/sql.ts'
import type { CompanyResource } from './define.ts'
import { inputOf, itemsOf } from './input.ts'
import type { ListQuery } from './page.ts'
import { bulkOptions, createOptions, listOptions, patchOptions, removeOptions, retrieveOptions, updateOptions, type ById, type Route, type SomeFields } from './route-options.ts'

/** GET of a resource: a page in the envelope. */
export function list (resource: CompanyResource): Route<{ Querystring: ListQuery }> {
  return {
    ...listOptions(resource),
    handler: async (request, reply) => await reply.remember(async () => {
      const { query, tenant } = request
      const page = await tenant.page(resource, query)
      const body = envelope(page, request.origin(), request)
      const { fields } = query
      return { body: fields === undefined ? body : JSON.stringify({ ...body, results: page.results.map(record => pick(record, fields)) }), revision: page.revision }
    })
  }
}

/** GET of one record. */
export function retrieve (resource: CompanyResource): Route<ById & SomeFields> {
  return {
    ...retrieveOptions(resource),
    handler: async ({ tenant, params: { id }, query: { fields } }, reply) => await reply.remember(async () => {
      const record = await tenant.record(resource, id)
      return { body: fields === undefined ? record : JSON.stringify(pick(record, fields)), revision: record['revision'], version: record['version'] }
    })
  }
}

/** POST: 201 with the record and its address. */
export function create (resource: CompanyResource): Route {
  return {
    ...createOptions(resource),
    handler: async (request, reply) => {
      const input = inputOf(request, resource)
      return await post<Writer>(reply, keyOf(request, input), request.tenant, async (writer) => {
        const record = await writer.create(resource, input)
        const location = `${request.origin()}/api/v1/${resource.name}/${record['id']}/`
        return { headers: { location, etag: writtenTag(request, location, record) }, body: record }
      })
    }
  }
}

/** POST of many: 201 with all the records. */
export function bulk (resource: CompanyResource): Route {
  return {
    ...bulkOptions(resource),
    handler: async (request, reply) => {
      const asked = itemsOf(request, resource)
      return await post<Writer>(reply, keyOf(request, asked), request.tenant, async (writer) => {
        const results = await writer.bulk(resource, asked.items, asked.upsert)
        return { headers: {}, body: { count: results.length, results } }
      })
    }
  }
}

/** PUT. Fields that the body leaves out keep their values. */
export function update (resource: CompanyResource): Route<ById> {
  return { ...updateOptions(resource), handler: changing(resource) }
}

/** PATCH. It requires no field. */
export function patch (resource: CompanyResource): Route<ById> {
  return { ...patchOptions(resource), handler: changing(resource) }
}

function changing (resource: CompanyResource): Route<ById>['handler'] {
  return async (request, reply) => {
    const record = await request.tenant.update(resource, request.params.id, inputOf(request, resource), versionPrecondition(request.headers['if-match']))
    return await reply.header('etag', writtenTag(request, request.origin() + request.url, record)).send(record)
  }
}

/** DELETE: 204. */
export function remove (resource: CompanyResource): Route<ById> {
  return {
    ...removeOptions(resource),
    handler: async (request, reply) => {
      await request.tenant.remove(resource, request.params.id, versionPrecondition(request.headers['if-match']))
      return await reply.code(204).send()
    }
  }
}

function keyOf (request: FastifyRequest, asked: unknown): IdempotencyKey | undefined {
  return idempotencyKey(request, request.tenant, asked)
}

/**
 * The ETag of a written record for the next `If-Match`. Its revision is that of before the write, which has passed: nothing is
 * ever taken for fresh by it.
 */
function writtenTag ({ tenant, routeOptions }: FastifyRequest, address: string, record: Row): string {
  return etag(tenant.company, tenant.revision, urlTag(address, routeOptions.config.answer as string), record['version'])
}
