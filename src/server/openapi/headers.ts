import { messages } from '../../http/messages.ts'
import type { Schema } from './standard.ts'

/** Headers of answers, by name. */
export const headers: Record<string, Schema> = {
  'X-Request-Id': { description: 'What the request is called in the log: as the caller called it, or by a name of the server’s.', schema: { type: 'string' }, example: 'erp-20260301-0042' },
  'Cache-Control': { description: "A caller's own cache may keep the answer, and asks each time whether it is still true.", schema: { type: 'string' }, example: 'private, no-cache' },
  Vary: { description: 'Request headers that the answer depends on.', schema: { type: 'string' }, example: 'Authorization, Accept, Accept-Language' },
  'Content-Language': { description: 'Language of the messages in the answer, by `Accept-Language`.', schema: { type: 'string', enum: Object.keys(messages) }, example: 'es' },
  ETag: { description: 'What `If-None-Match` of the next read, and `If-Match` of the next write, may name.', required: true, schema: { type: 'string' }, example: '"1.57.o7aWQ2Kd.3"' },
  Location: { description: 'Address of the new record.', required: true, schema: { type: 'string', format: 'uri' }, example: 'https://obra.example.mx/api/v1/contracts/7/' },
  'Idempotency-Replayed': { description: 'On an answer that was given before, under the same `Idempotency-Key`.', schema: { type: 'string', const: 'true' }, example: 'true' },
  'WWW-Authenticate': { description: 'The scheme that the caller is to authenticate by.', required: true, schema: { type: 'string' }, example: 'Bearer realm="api"' },
  'RateLimit-Limit': { description: 'On answers to requests with a token: requests that the user may make in a minute.', schema: { type: 'integer', minimum: 1 }, example: 6000 },
  'RateLimit-Remaining': { description: 'Those that are left of this minute.', schema: { type: 'integer', minimum: 0 }, example: 5987 },
  'RateLimit-Reset': { description: 'Seconds until the next minute.', schema: { type: 'integer', minimum: 1, maximum: 60 }, example: 42 },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', required: true, schema: { type: 'integer', minimum: 1 }, example: 30 }
}

const onAll = ['X-Request-Id', 'Cache-Control', 'Vary', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
const byStatus: Record<number, string[]> = { 304: ['ETag'], 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] }

/** The headers of an answer with that status, and those that are named. */
export function headersOf (status: number, names: string[] = []): Schema {
  const ofBody = status === 204 || status === 304 ? [] : ['Content-Language']
  return Object.fromEntries([...onAll, ...ofBody, ...byStatus[status] ?? [], ...names].map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
