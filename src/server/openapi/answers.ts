import { isAccountOperation } from '../../auth/access.ts'
import { isProbe } from '../requests.ts'
import { failures } from './failures.ts'
import { headersOf } from './headers.ts'
import { isBehindDoor, isBulk, isConditionalWrite, isIdempotent, isPaged, isTagged, levelsOf, readsBody, takesId, type Operation } from './operation.ts'
import type { Schema } from './standard.ts'

/** What a status means where nothing else is said. */
const meanings: Record<string, string> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; there is nothing to show.',
  304: 'The caller has the present answer already.',
  401: 'The credentials are wrong, or the token is not valid.',
  429: 'Too many attempts.',
  503: 'The service cannot work now.'
}

/**
 * The answers of an operation: those that its schemas have, and those that every operation of its kind can have.
 * @param own the former, as OpenAPI's responses
 */
export function answersOf (operation: Operation, own: Schema): any {
  const answers: Schema = {}
  for (const status of ownStatuses(operation)) {
    const content = status === '204' || status === '304' ? {} : { content: own[status].content }
    answers[status] = { description: meanings[status] ?? own[status].description, headers: headersOf(Number(status), Number(status) < 300 ? successHeaders(operation) : []), ...content }
  }
  for (const [status, name] of sharedAnswers(operation)) {
    const shared = { $ref: `#/components/responses/${name}` }
    answers[status] = answers[status] === undefined ? shared : either(answers[status], failures[name])
  }
  return answers
}

/** A route that names no answer has none to show. */
function ownStatuses (operation: Operation): string[] {
  const statuses = Object.keys(operation.schema['response'] ?? { 204: null })
  return isTagged(operation) && operation.method === 'GET' ? [...new Set([...statuses, '304'])] : statuses
}

function successHeaders (operation: Operation): string[] {
  const names = isTagged(operation) ? ['ETag'] : []
  if (isIdempotent(operation)) names.push('Idempotency-Replayed')
  if (isIdempotent(operation) && !isBulk(operation)) names.push('Location')
  return names
}

function sharedAnswers (operation: Operation): Array<[status: string, name: keyof typeof failures]> {
  const { method, access } = operation
  const business = levelsOf(access) !== undefined && !isAccountOperation(access)
  const writes = isConditionalWrite(operation) || isIdempotent(operation)
  const rules: Array<[status: string, name: keyof typeof failures, when: boolean]> = [
    ['400', 'Invalid', true],
    ['401', 'Unauthorized', isBehindDoor(operation) && access !== 'public'],
    ['403', business ? 'ForbiddenInCompany' : 'Forbidden', levelsOf(access) !== undefined],
    ['404', isPaged(operation) ? 'NoSuchPage' : 'NotFound', isPaged(operation) || takesId(operation)],
    ['406', 'NotAcceptable', true],
    ['409', isBulk(operation) ? 'BulkConflict' : method !== 'DELETE' ? 'Conflict' : business ? 'Protected' : 'ProtectedAccount', writes],
    ['412', 'PreconditionFailed', isConditionalWrite(operation)],
    ['413', 'TooLarge', readsBody(operation)],
    ['415', 'UnsupportedMediaType', readsBody(operation)],
    ['422', 'IdempotencyMismatch', isIdempotent(operation)],
    ['429', 'Throttled', isBehindDoor(operation) ? access !== 'public' : !isProbe(operation.url)],
    ['500', 'Failed', true],
    ['503', 'Unavailable', true]
  ]
  return rules.filter(([, , when]) => when).map(([status, name]) => [status, name])
}

/** An answer that the route gives by itself, or the one that every route can give. */
function either (own: Schema, shared: Schema): Schema {
  const [mine, others] = [own, shared].map(answer => answer['content']['application/json'])
  return { ...own, content: { 'application/json': { schema: { anyOf: [mine.schema, others.schema] }, examples: { ...mine.examples, ...others.examples } } } }
}
