import type { AnswerHeader } from '../http/route-kinds.ts'
import { exampleTag } from './parameters.ts'
import type { Schema } from './standard.ts'

/** A header that every answer of its kind has. */
function always (description: string, schema: Schema, example: unknown): Schema {
  return { description, required: true, schema, example }
}

/** A header that an answer can have. */
function sometimes (description: string, schema: Schema, example: unknown): Schema {
  return { description, schema, example }
}

/** A header with one value. */
function constant (description: string, value: string): Schema {
  return sometimes(description, { type: 'string', const: value }, value)
}

const text = { type: 'string' }
const languages = { $ref: '#/components/schemas/Language' }
const varying = 'Authorization,Accept,Accept-Encoding,Accept-Language'
const exampleUrl = 'https://obra.example.mx/api/v1/contracts/7/'

/** Response headers, by name. */
export const headers = {
  'X-Request-Id': sometimes(
    'Id of the request in the log: the one that the client sent, or a generated one.', text, 'erp-20260301-0042'),
  'Cache-Control': sometimes(
    'Private caches may store the answer, and must revalidate it before each use.', text, 'private, no-cache'),
  Vary: sometimes('Request headers that affect the answer. `Accept` if it has several formats.', text, varying),
  'Content-Language': sometimes('Language of messages, drawings and pages, by `Accept-Language`.', languages, 'es'),
  ETag: always('Version of the answer, for `If-None-Match` and `If-Match`.', text, exampleTag),
  'Content-Disposition': sometimes('Name of the file, of CSV, PDF and attachments.', text, 'attachment; filename="contracts.csv"'),
  'Accept-Ranges': constant('The file can be read in parts.', 'bytes'),
  'Content-Range': sometimes('The part of the file, and its size.', text, 'bytes 0-65535/482113'),
  'Tus-Resumable': sometimes('Version of tus. Only for a request with this header.', { type: 'string', const: '1.0.0' }, '1.0.0'),
  'Tus-Version': sometimes('Versions of tus that the server supports.', text, '1.0.0'),
  'Upload-Offset': sometimes(
    'Offset of the next byte that the server needs. Of a complete file, its size.', { type: 'integer', minimum: 0 }, 262144),
  'Upload-Length': sometimes('Size of the file.', { type: 'integer', minimum: 1 }, 482113),
  'Upload-Expires': sometimes(
    'When the bytes of an incomplete upload are removed. Each `PATCH` moves it.', text, 'Fri, 20 Mar 2026 16:20:00 GMT'),
  'Preference-Applied': constant('Present if the request had `Prefer: wait`.', 'wait'),
  'X-Accel-Buffering': constant('Keeps proxies from buffering the events.', 'no'),
  Location: always('URL of the new record, or of the file.', { type: 'string', format: 'uri' }, exampleUrl),
  'Idempotency-Replayed': constant(
    'Present if this is the stored answer to an earlier request with the same `Idempotency-Key`.', 'true'),
  'WWW-Authenticate': always('Authentication scheme.', text, 'Bearer realm="api"'),
  'RateLimit-Limit': sometimes(
    'Requests per minute that the user may make. Only with a token.', { type: 'integer', minimum: 1 }, 6000),
  'RateLimit-Remaining': sometimes('Requests left in this minute.', { type: 'integer', minimum: 0 }, 5987),
  'RateLimit-Reset': sometimes('Seconds until the next minute.', { type: 'integer', minimum: 1, maximum: 60 }, 42),
  'Accept-Encoding': constant('Present if the body was compressed.', 'identity'),
  'Retry-After': always('Seconds to wait before the next attempt.', { type: 'integer', minimum: 1 }, 30)
} satisfies Record<AnswerHeader, Schema> & Record<string, Schema>

/** Headers of operations with a deprecated part. */
export const headersOfDeprecated: Record<string, Schema> = {
  Deprecation: always('Time from which the operation, a parameter or a field is deprecated, in seconds since 1970.', text, '@1803859200'),
  Sunset: always('Time from which a release can remove the deprecated part.', text, 'Wed, 01 Mar 2028 00:00:00 GMT')
}

const onAll = ['X-Request-Id', 'Cache-Control', 'Vary', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
const byStatus: Record<number, string[]> = {
  302: ['Location'],
  304: ['ETag'],
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After']
}

/** References to the headers of an answer. @param names headers beyond those of the status */
export function headersOf (status: number, names: string[] = []): Schema {
  const ofBody = [204, 302, 304].includes(status) ? [] : ['Content-Language']
  const all = [...onAll, ...ofBody, ...byStatus[status] ?? [], ...names]
  return Object.fromEntries(all.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
