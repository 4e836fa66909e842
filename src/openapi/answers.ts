import { message, type MessageKey } from '../language/messages.ts'
import { isBehindDoor, isConditionalWrite, isIdempotent, isPaged, isTagged, levelsOf, takesBody, takesId, type Operation } from './operation.ts'
import type { Schema } from './standard.ts'

/** Headers of answers, by name. */
export const headers: Record<string, Schema> = {
  'X-Request-Id': { description: 'what the request is called in logs', schema: { type: 'string' } },
  'Cache-Control': { description: 'caches may keep an answer for its caller, and ask each time whether it is still true', schema: { type: 'string' } },
  Vary: { description: 'request headers that the answer depends on', schema: { type: 'string' } },
  ETag: { description: 'for `If-None-Match` and `If-Match`', schema: { type: 'string' } },
  Location: { description: 'address of the new record', schema: { type: 'string', format: 'uri' } },
  'Idempotency-Replayed': { description: '`true` on an answer that was given before', schema: { type: 'string', const: 'true' } },
  'WWW-Authenticate': { description: 'the scheme to authenticate by', schema: { type: 'string' } },
  'Retry-After': { description: 'seconds to wait', schema: { type: 'integer', minimum: 1 } }
}

const always = ['X-Request-Id', 'Cache-Control', 'Vary']

function carrying (names: string[]): Schema {
  return Object.fromEntries([...always, ...names].map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

function failure (description: string, code: string, key: MessageKey, more: string[] = []): Schema {
  const examples = Object.fromEntries((['en', 'es'] as const).map(language => [language, { value: { detail: message(language, key), code } }]))
  return { description, headers: carrying(more), content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' }, examples } } }
}

/** The answers other than success, by name. */
export const failures: Record<string, Schema> = {
  Invalid: {
    description: 'Something is wrong with the request: everything that is, by field.',
    headers: carrying([]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ValidationError' },
        examples: Object.fromEntries((['en', 'es'] as const).map(language => [language, { value: { detail: message(language, 'invalidInput'), errors: { folio: [message(language, 'required')] } } }]))
      }
    }
  },
  Unauthorized: failure('No access token, or not a valid one.', 'not_authenticated', 'notAuthenticated', ['WWW-Authenticate']),
  Forbidden: failure("The caller's level is too low, or there is no active company.", 'permission_denied', 'permissionDenied'),
  NotFound: failure('There is no such record or page.', 'not_found', 'notFound'),
  NotAcceptable: failure('`Accept` admits no JSON.', 'not_acceptable', 'notAcceptable'),
  Conflict: failure('The present state does not admit it.', 'conflict', 'conflict'),
  PreconditionFailed: failure('The record has changed.', 'precondition_failed', 'preconditionFailed'),
  TooLarge: failure('The body is too large.', 'body_too_large', 'bodyTooLarge'),
  UnsupportedMediaType: failure('The body is not JSON.', 'unsupported_media_type', 'unsupportedMediaType'),
  Mismatch: failure('The Idempotency-Key was used with another body.', 'idempotency_mismatch', 'idempotencyMismatch'),
  Throttled: failure('Too many requests.', 'throttled', 'throttledWait', ['Retry-After']),
  Failed: failure('A fault of the server.', 'error', 'serverError'),
  Unavailable: failure('The database cannot be reached now.', 'unavailable', 'unavailable', ['Retry-After'])
}

/** The answers of an operation: those of its schemas, and those that its kind can have. */
export function answersOf (operation: Operation, own: Schema): any {
  const answers: Schema = {}
  // A route that names no answer has none to show.
  if (operation.schema['response'] === undefined) answers['204'] = { description: meaning['204'], headers: carrying([]) }
  else for (const [status, answer] of Object.entries(own)) answers[status] = { ...answer, description: meaning[status] ?? answer.description, headers: carrying(headersOf(operation)) }
  const { method, access } = operation
  const levels = levelsOf(access)
  if (method === 'GET' && isTagged(operation)) answers['304'] = { description: 'The caller has it already.', headers: carrying(['ETag']) }
  const add = (status: number, name: keyof typeof failures, when: boolean) => {
    if (when) answers[status] ??= { $ref: `#/components/responses/${name}` }
  }
  add(400, 'Invalid', true)
  add(401, 'Unauthorized', isBehindDoor(operation))
  add(403, 'Forbidden', levels !== undefined)
  add(404, 'NotFound', takesId(operation) || isPaged(operation))
  add(406, 'NotAcceptable', true)
  add(409, 'Conflict', isConditionalWrite(operation) || isIdempotent(operation))
  add(412, 'PreconditionFailed', isConditionalWrite(operation))
  add(413, 'TooLarge', takesBody(operation))
  add(415, 'UnsupportedMediaType', takesBody(operation))
  add(422, 'Mismatch', isIdempotent(operation))
  add(429, 'Throttled', /auth|password/.test(operation.url))
  add(500, 'Failed', true)
  add(503, 'Unavailable', true)
  return answers
}

const meaning: Record<string, string> = { 200: 'Done.', 201: 'Created.', 204: 'Done; there is nothing to show.' }

function headersOf (operation: Operation): string[] {
  const names = isTagged(operation) ? ['ETag'] : []
  if (isIdempotent(operation)) names.push('Idempotency-Replayed')
  if (isIdempotent(operation) && isTagged(operation)) names.push('Location')
  return names
}
