import type { FastifyReply, FastifyRequest } from 'fastify'
import { digestTag, isNamed, recordTag, versionPrecondition } from '../http/etag.ts'
import { pick } from '../http/fields.ts'
import { envelope } from '../http/links.ts'
import { idempotencyKey, type IdempotencyKey } from '../idempotency/key.ts'
import { post } from '../idempotency/post.ts'
import { fieldsOf, type Input } from '../resources/input.ts'
import type { ListQuery } from '../resources/page.ts'
import { createOptions, listOptions, patchOptions, removeOptions, retrieveOptions, updateOptions, type ById, type Described, type Route, type SomeFields } from '../resources/route-options.ts'
import { slowDigest } from '../tokens/passwords.ts'
import type { AccountWriter } from './accounts.ts'
import type { AccountResource, RemovableResource } from './resource.ts'
import { seal } from './write.ts'

type Accounts = AccountResource & Described

/** GET of an account resource: a page in the envelope. */
export function list (resource: Accounts): Route<{ Querystring: ListQuery }> {
  return {
    ...listOptions(resource),
    handler: async (request, reply) => {
      const { query } = request
      const page = await request.accounts.page(resource, query)
      const body = envelope(page, request.origin(), request)
      const { fields } = query
      const text = fields === undefined ? serialize(reply, body, '200') : JSON.stringify({ ...body, results: page.results.map(record => pick(record, fields)) })
      return shown(request, reply, text, digestTag(text))
    }
  }
}

/** GET of one record. */
export function retrieve (resource: Accounts): Route<ById & SomeFields> {
  return {
    ...retrieveOptions(resource),
    handler: async (request, reply) => {
      const { fields } = request.query
      const record = await request.accounts.record(resource, request.params.id)
      const text = fields === undefined ? serialize(reply, record, '200') : JSON.stringify(pick(record, fields))
      return shown(request, reply, text, recordTag(text, record['version']))
    }
  }
}

/** POST: 201 with the record and its address. */
export function create (resource: Accounts): Route {
  return {
    ...createOptions(resource),
    handler: async (request, reply) => {
      const input = fieldsOf(request, resource.writable)
      const [key, sealed] = await Promise.all([keyOf(request, input), seal(resource, input)])
      return await post<AccountWriter>(reply, key, request.accounts, async (writer) => {
        const record = await writer.create(resource, sealed)
        const tag = recordTag(serialize(reply, record, '201'), record['version'])
        return { headers: { location: `${request.origin()}/api/v1/${resource.name}/${record['id']}/`, etag: tag }, body: record }
      })
    }
  }
}

/** PUT. Fields that the body leaves out keep their values. */
export function update (resource: Accounts): Route<ById> {
  return { ...updateOptions(resource), handler: changing(resource) }
}

/** PATCH. It requires no field. */
export function patch (resource: Accounts): Route<ById> {
  return { ...patchOptions(resource), handler: changing(resource) }
}

function changing (resource: Accounts): Route<ById>['handler'] {
  return async (request, reply) => {
    const input = fieldsOf(request, resource.writable)
    const verified = await resource.prove?.(request, input)
    const record = await request.accounts.update(resource, request.params.id, input, versionPrecondition(request.headers['if-match']), verified)
    const text = serialize(reply, record, '200')
    return await reply.header('etag', recordTag(text, record['version'])).type('application/json; charset=utf-8').send(text)
  }
}

/** DELETE: 204. */
export function remove (resource: Accounts & RemovableResource): Route<ById> {
  return {
    ...removeOptions(resource),
    handler: async (request, reply) => {
      await request.accounts.remove(resource, request.params.id, versionPrecondition(request.headers['if-match']))
      return await reply.code(204).send()
    }
  }
}

function serialize (reply: FastifyReply, body: object, status: string): string {
  return reply.serializeInput(body as Record<string, unknown>, status) as string
}

/** Accounts have no revision, so what is shown is read first and its ETag made of it. */
function shown (request: FastifyRequest, reply: FastifyReply, text: string, tag: string): FastifyReply {
  reply.header('etag', tag)
  if (isNamed(request.headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

/** What is asked may hold a password, which a fast digest of it would give away to whoever has the database. */
async function keyOf (request: FastifyRequest, input: Input): Promise<IdempotencyKey | undefined> {
  const key = idempotencyKey(request, { company: null, level: request.accounts.reach.level }, input)
  return key === undefined ? undefined : { ...key, digest: await slowDigest(key.digest, `${key.user} ${key.route} ${key.key}`) }
}
