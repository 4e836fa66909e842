import { messages } from '../http/messages.ts'
import { exampleTag } from './parameters.ts'
import type { Schema } from './standard.ts'

/** Response headers, by name. */
export const headers: Record<string, Schema> = {
  'X-Request-Id': { description: 'Id of the request in the log: the one that the client sent, or a generated one.', schema: { type: 'string' }, example: 'erp-20260301-0042' },
  'Cache-Control': { description: 'Private caches may store the answer, and must revalidate it before each use.', schema: { type: 'string' }, example: 'private, no-cache' },
  Vary: { description: 'Request headers that affect the answer.', schema: { type: 'string' }, example: 'Authorization, Accept, Accept-Encoding, Accept-Language' },
  'Content-Language': { description: 'Language of the messages in the answer, by `Accept-Language`.', schema: { type: 'string', enum: Object.keys(messages) }, example: 'es' },
  ETag: { description: 'Version of the answer, for `If-None-Match` and `If-Match`.', required: true, schema: { type: 'string' }, example: exampleTag },
  'Preference-Applied': { description: 'Present if the request had `Prefer: wait`.', schema: { type: 'string', const: 'wait' }, example: 'wait' },
  'X-Accel-Buffering': { description: 'Keeps proxies from buffering the events.', schema: { type: 'string', const: 'no' }, example: 'no' },
  Location: { description: 'URL of the new record.', required: true, schema: { type: 'string', format: 'uri' }, example: 'https://obra.example.mx/api/v1/contracts/7/' },
  'Idempotency-Replayed': { description: 'Present if this is the stored answer to an earlier request with the same `Idempotency-Key`.', schema: { type: 'string', const: 'true' }, example: 'true' },
  'WWW-Authenticate': { description: 'Authentication scheme.', required: true, schema: { type: 'string' }, example: 'Bearer realm="api"' },
  'RateLimit-Limit': { description: 'Requests per minute that the user may make. Only with a token.', schema: { type: 'integer', minimum: 1 }, example: 6000 },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: { type: 'integer', minimum: 0 }, example: 5987 },
  'RateLimit-Reset': { description: 'Seconds until the next minute.', schema: { type: 'integer', minimum: 1, maximum: 60 }, example: 42 },
  'Accept-Encoding': { description: 'Present if the body was compressed.', schema: { type: 'string', const: 'identity' }, example: 'identity' },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', required: true, schema: { type: 'integer', minimum: 1 }, example: 30 }
}

const onAll = ['X-Request-Id', 'Cache-Control', 'Vary', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
const byStatus: Record<number, string[]> = { 304: ['ETag'], 401: ['WWW-Authenticate'], 415: ['Accept-Encoding'], 429: ['Retry-After'], 503: ['Retry-After'] }

/** References to the headers of an answer. @param names headers beyond those of the status */
export function headersOf (status: number, names: string[] = []): Schema {
  const ofBody = status === 204 || status === 304 ? [] : ['Content-Language']
  return Object.fromEntries([...onAll, ...ofBody, ...byStatus[status] ?? [], ...names].map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
