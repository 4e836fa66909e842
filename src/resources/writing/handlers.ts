import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Row } from '../../database/connection/sql.ts'
import { nonFieldErrors, errorList, sayIn, type Say } from '../../http/errors.ts'
import { recordTag, sendJson, versionOf, versionPrecondition } from '../../http/representation.ts'
import { requestSlices, type Pause } from '../../http/slices.ts'
import { callerOf } from '../../limits/caller.ts'
import { bulkDigest, idempotencyKey, once, type DigestOf, type IdempotencyKey, type KeyPlace, type StoredAnswer } from './idempotency.ts'
import { inputOf } from './input.ts'
import { itemsOf } from './items.ts'
import type { Outcome } from './partial-bulk.ts'
import type { CompanyWriter } from '../tenant.ts'
import type { ShownOnce } from '../declaration/route-schemas.ts'
import {
  bulkOptions, type ById, createOptions, patchOptions, removeOptions, type Route, updateOptions, type WithBody
} from '../declaration/route-options.ts'
import type { AnyResource } from '../declaration/account-resource.ts'
import type { Input, WriteRequest } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'

/** POST: 201 with the record and its address, only once per Idempotency-Key. */
export function create (resource: AnyResource): Route<WithBody> {
  const { once: shownOnce } = resource
  return {
    ...createOptions(resource),
    handler: async (request, reply) => {
      const records = request.records
      const given = inputOf(request, resource)
      const key = await keyOf(request, records, given, resource.hasSecrets)
      const input = await prepared(resource, request, given)
      // It throws for a request without a host, so it must run before the write.
      const origin = request.origin()
      const answer = (record: Row): StoredAnswer => {
        const shown = shownOnce === undefined ? record : { ...record, [shownOnce.field]: input.values[shownOnce.sealedIn] }
        const { body, etag } = written(request, reply, shown, '201')
        return { status: 201, headers: { location: `${origin}/api/v1/${resource.name}/${record['id']}/`, etag }, body }
      }
      const createInTurn = async (key: IdempotencyKey, deadline: number) => resource.kind === 'company'
        ? await request.tenant.createWithNewKey(resource, input, { key, answer }, deadline)
        : undefined
      const stored = key === undefined
        ? answer(await records.create(resource, input))
        : await once(request.server.database, records, key, async writer => answer(await writer.create(resource, input)), createInTurn)
      return send(reply, shownOnce === undefined ? stored : { ...stored, body: opened(request, shownOnce, stored.body) })
    }
  }
}

/** Limits of the messages about one item. A bulk has up to 1,000 items. */
const mostListed = { messages: 20, bytes: 2048 }

/** Bulk POST: 201 with all records or, with `partial`, 200 with an outcome per item; only once per Idempotency-Key. */
export function bulk (resource: Resource): Route {
  return {
    ...bulkOptions(resource),
    handler: async (request, reply) => {
      const { tenant } = request
      const caller = callerOf(request)
      const given = await itemsOf(request, resource, requestSlices.begin(caller))
      const key = await keyOf(request, tenant, given, false, bulkDigest)
      const { items, upsert, partial } = given
      const answer = async <T extends object>(status: 200 | 201, results: T[], shape: (result: T) => object): Promise<StoredAnswer> => {
        return { status, headers: {}, body: await serializedList(reply, results, shape, String(status), requestSlices.begin(caller)) }
      }
      const say = sayIn(request.messageLanguage())
      const write = async (writer: Pick<CompanyWriter, 'bulk' | 'partialBulk'>) => partial
        ? await answer(200, await writer.partialBulk(resource, items, upsert), outcome => shown(outcome, say))
        : await answer(201, await writer.bulk(resource, items, upsert), record => record)
      return send(reply, key === undefined ? await write(tenant) : await once(request.server.database, tenant, key, write))
    }
  }
}

/** An item's record, or messages about its refusal. */
function shown (outcome: Outcome, say: Say): object {
  if ('record' in outcome) return outcome.record
  return errorList(outcome.problems.map(problem => problem.field === '' ? { ...problem, field: nonFieldErrors } : problem), say, mostListed)
}

/** PUT. Fields that the body omits keep their values. */
export function update (resource: AnyResource): Route<ById & WithBody> {
  return { ...updateOptions(resource), handler: changing(resource) }
}

/** PATCH. No field is required. */
export function patch (resource: AnyResource): Route<ById & WithBody> {
  return { ...patchOptions(resource), handler: changing(resource) }
}

function changing (resource: AnyResource): Route<ById & WithBody>['handler'] {
  return async function change (request, reply) {
    const input = await prepared(resource, request, inputOf(request, resource))
    const record = await request.records.update(resource, request.params.id, input, versionPrecondition(request.headers['if-match']))
    return await sendWritten(request, reply, record)
  }
}

/** Answers a write with the record after it. */
export async function sendWritten (request: FastifyRequest, reply: FastifyReply, record: Row): Promise<FastifyReply> {
  const { body, etag } = written(request, reply, record, '200')
  return await send(reply, { status: 200, headers: { etag }, body })
}

/** DELETE: 204. */
export function remove (resource: AnyResource): Route<ById> {
  return {
    ...removeOptions(resource),
    handler: async (request, reply) => {
      await request.records.remove(resource, request.params.id, versionPrecondition(request.headers['if-match']))
      return await reply.code(204).send()
    }
  }
}

/** A stored answer with the value of its sealed field. */
function opened (request: FastifyRequest, { field, open }: ShownOnce, body: string): string {
  const record = JSON.parse(body)
  return JSON.stringify({ ...record, [field]: open(request, record[field]) })
}

async function keyOf<I> (
  request: FastifyRequest, place: KeyPlace, input: I, hasSecrets?: boolean, digestOf?: DigestOf<I>
): Promise<IdempotencyKey | undefined> {
  const header = request.headers['idempotency-key']
  return header === undefined ? undefined : await idempotencyKey(String(header), request, place, input, hasSecrets, digestOf)
}

async function prepared ({ prepare }: AnyResource, request: WriteRequest, input: Input): Promise<Input> {
  return prepare === undefined ? input : await prepare(request, input)
}

/** Body of a written record, and its ETag for the next `If-Match`. Answers to GET never have this ETag. */
function written ({ tenant }: FastifyRequest, reply: FastifyReply, record: Row, status: string): { body: string, etag: string } {
  const body = serialize(reply, record, status)
  return { body, etag: recordTag(body, versionOf(record), tenant) }
}

function serialize (reply: FastifyReply, body: Row, status: string): string {
  return String(reply.serializeInput(body, status))
}

/** Results that are serialized at once, for about a millisecond. */
const serializedAtOnce = 50

/** The answer of a bulk. Other requests run between its parts. @param shape makes the answer of an item */
async function serializedList<T extends object> (
  reply: FastifyReply, results: T[], shape: (result: T) => object, status: string, pause: Pause
): Promise<string> {
  const parts: string[] = []
  for (let start = 0; start < results.length; start += serializedAtOnce) {
    const part = results.slice(start, start + serializedAtOnce).map(shape)
    const text = serialize(reply, { count: part.length, results: part }, status)
    parts.push(text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')))
    await pause()
  }
  return `{"count":${results.length},"results":[${parts.join()}]}`
}

async function send (reply: FastifyReply, { status, headers: { etag, ...headers }, body }: StoredAnswer): Promise<FastifyReply> {
  return await sendJson(reply.code(status).headers(headers), body, etag)
}
