import type { FastifyReply, FastifyRequest } from 'fastify'
import { etag, urlTag, versionPrecondition } from '../http/etag.ts'
import { pick } from '../http/fields.ts'
import { envelope } from '../http/links.ts'
import type { Row } from '../database/sql.ts'
import { inputOf } from './input.ts'
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
    const record = await request.tenant.create(resource, inputOf(request, resource))
    const location = `${request.origin()}/api/v1/${resource.name}/${record['id']}/`
    return written(request, reply.code(201).header('location', location), location, record)
  }
}

/** PUT and PATCH: the fields that the body has change; the schemas differ in what they require. */
export function update (resource: Resource): Handler {
  return async (request, reply) => {
    const { id } = request.params as { id: string }
    const record = await request.tenant.update(resource, id, inputOf(request, resource), versionPrecondition(request.headers['if-match']))
    return written(request, reply, request.origin() + request.url, record)
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

/**
 * A written record with an ETag for the next `If-Match`. Its revision is that of before the write, which has passed: nothing is
 * ever taken for fresh by it.
 */
function written ({ tenant }: FastifyRequest, reply: FastifyReply, address: string, record: Row): FastifyReply {
  return reply.header('etag', etag(tenant.company, tenant.revision, urlTag(address), record['version'])).send(record)
}
