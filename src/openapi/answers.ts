import { isAccountOperation } from '../auth/authority.ts'
import { mediaTypes } from '../http/media.ts'
import { isProbe } from '../limits/caller.ts'
import { failures, fileFailures } from './failures.ts'
import { headersOf, headersOfDeprecated } from './headers.ts'
import {
  answersProgress, beginsUpload, canWait, hasCsv, hasDeprecated, isApiRoute, isBulk, isConditionalWrite, isFeed, isIdempotent, isMutations,
  isPaged, isSkip, isStream, isTagged, levelsOf, readsBody, sendsFile, takesFile, takesId, takesPart, type Operation
} from './operation.ts'
import type { Schema } from './standard.ts'

const allFailures = { ...failures, ...fileFailures }

/** Descriptions of statuses, unless the route has its own. */
const meanings: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  204: 'Success, without a body.',
  206: 'The part of the file that `Range` names.',
  302: 'The file is at another address, which is valid for 60 s and needs no token. Only with files in an S3-compatible service.',
  304: 'Not modified: the answer still matches `If-None-Match`.',
  401: 'Wrong credentials or invalid token.',
  429: 'Too many attempts.',
  503: 'Service unavailable.'
}

/** Content of a list as CSV. */
const csv = {
  'text/csv': { schema: { type: 'string', description: 'The whole list: a header of field names, then one row for each record.' } }
}

/** Content of a drawing or of pages to print. */
const media = {
  [mediaTypes.svg]: { schema: { type: 'string', description: 'The drawing as SVG.' } },
  [mediaTypes.pdf]: { schema: { type: 'string', contentMediaType: mediaTypes.pdf, description: 'Pages of letter size.' } }
}

function otherTypes (operation: Operation): Schema {
  return {
    ...hasCsv(operation) ? csv : {},
    ...operation.media === undefined ? {} : { [operation.media]: media[operation.media] }
  }
}

/**
 * The answers of an operation: those of its schemas, and the shared answers of its kind.
 * @param own the answers of its schemas, as OpenAPI responses
 */
export function answersOf (operation: Operation, own: Schema): Schema {
  const answers: Schema = {}
  const ofAll = hasDeprecated(operation) ? Object.keys(headersOfDeprecated) : []
  for (const status of ownStatuses(operation)) {
    const others = status === '200' ? otherTypes(operation) : {}
    const types = sendsFile(operation) ? contentOf(operation) : { ...own[status]?.content, ...others }
    const content = ['204', '302', '304'].includes(status) || beginsUpload(operation) ? {} : { content: types }
    const names = [...Number(status) < 400 && status !== '302' ? successHeaders(operation) : [], ...ofAll]
    const description = meanings[status] ?? own[status].description
    answers[status] = { description, headers: headersOf(Number(status), names), ...content }
  }
  for (const [status, name] of sharedAnswers(operation)) {
    const more = [...hasTus(operation) ? tusHeaders(status) : [], ...ofAll]
    const shared = more.length > 0 ? withHeaders(name, status, more) : { $ref: `#/components/responses/${name}` }
    answers[status] = answers[status] === undefined ? shared : either(answers[status], allFailures[name])
  }
  return answers
}

/** Whether requests of the operation can be those of tus. */
function hasTus ({ tus }: Operation): boolean {
  return tus !== undefined
}

/** Headers of tus in an error answer. */
function tusHeaders (status: string): string[] {
  return status === '412' ? ['Tus-Resumable', 'Tus-Version'] : ['Tus-Resumable']
}

/** A shared error answer with more headers. */
function withHeaders (name: keyof typeof allFailures, status: string, names: string[]): Schema {
  const { headers, ...others }: Schema = allFailures[name]
  return { ...others, headers: { ...headers, ...headersOf(Number(status), names) } }
}

/** Content of a file, by its media type. */
export function contentOf ({ fileTypes = [] }: Operation): Schema {
  const schemaOf = (type: string) => ({ type: 'string', contentMediaType: type, description: 'The bytes of the file.' })
  return Object.fromEntries(fileTypes.map(type => [type, { schema: schemaOf(type) }]))
}

/** Statuses of the route's schemas: 204 if it has none, and 304 for a GET with an ETag. */
function ownStatuses (operation: Operation): string[] {
  const statuses = Object.keys(operation.schema['response'] ?? { 204: null })
  return isTagged(operation) && operation.method === 'GET' ? [...new Set([...statuses, '304'])] : statuses
}

function successHeaders (operation: Operation): string[] {
  const names = isTagged(operation) ? ['ETag'] : []
  if (hasCsv(operation)) names.push('Content-Disposition')
  if (sendsFile(operation)) names.push('Content-Disposition', 'Accept-Ranges', 'Content-Range')
  if (answersProgress(operation)) names.push('Upload-Length')
  if (hasTus(operation)) names.push('Tus-Resumable')
  if (beginsUpload(operation)) names.push('Location')
  if (answersProgress(operation) || takesPart(operation)) names.push('Upload-Offset', 'Upload-Expires')
  if (canWait(operation)) names.push('Preference-Applied')
  if (isStream(operation)) names.push('X-Accel-Buffering')
  if (isIdempotent(operation)) names.push('Idempotency-Replayed')
  if (isIdempotent(operation) && !isBulk(operation)) names.push('Location')
  return names
}

function sharedAnswers (operation: Operation): Array<[status: string, name: keyof typeof allFailures]> {
  const { method, access } = operation
  const business = levelsOf(access) !== undefined && !isAccountOperation(access)
  const changes = !takesFile(operation) && (isConditionalWrite(operation) || isIdempotent(operation))
  const rules: Array<[status: string, name: keyof typeof allFailures, when: boolean]> = [
    ['400', 'Invalid', true],
    ['401', 'Unauthorized', isApiRoute(operation) && access !== 'public'],
    ['403', isMutations(operation) ? 'ForbiddenToDevice' : business ? 'ForbiddenInCompany' : 'Forbidden', levelsOf(access) !== undefined],
    ['404', isPaged(operation) ? 'NoSuchPage' : 'NotFound', isPaged(operation) || takesId(operation)],
    ['406', 'NotAcceptable', true],
    ['409', isMutations(operation) ? 'DeviceConflict' : 'CompanyChanged', isFeed(operation) || isMutations(operation)],
    ['409', takesPart(operation) ? 'WrongOffset' : 'FileComplete', takesFile(operation)],
    ['409', isBulk(operation) ? 'BulkConflict' : method !== 'DELETE' ? 'Conflict' : business ? 'Protected' : 'ProtectedAccount', changes],
    ['409', 'NothingFails', isSkip(operation)],
    ['409', 'FilePending', sendsFile(operation)],
    ['410', 'FileLost', sendsFile(operation)],
    ['410', 'Resync', isFeed(operation) || isMutations(operation)],
    ['412', takesPart(operation) ? 'PartPreconditionFailed' : 'PreconditionFailed', isConditionalWrite(operation)],
    ['412', 'TusVersion', answersProgress(operation) || beginsUpload(operation)],
    ['413', takesFile(operation) ? 'QuotaExceeded' : 'TooLarge', readsBody(operation)],
    ['415', takesFile(operation) ? 'NotAFile' : 'UnsupportedMediaType', readsBody(operation)],
    ['416', 'RangeNotSatisfiable', sendsFile(operation)],
    ['422', 'IdempotencyMismatch', isIdempotent(operation)],
    ['429', 'Throttled', isApiRoute(operation) ? access !== 'public' : !isProbe(operation.url)],
    ['500', 'Failed', true],
    ['503', 'Unavailable', true]
  ]
  return rules.filter(([, , when]) => when).map(([status, name]) => [status, name])
}

/** An answer with the schema of the route or the shared one. */
function either (own: Schema, shared: Schema): Schema {
  const [mine, others] = [own, shared].map(answer => answer['content']['application/json'])
  const schema = { anyOf: [mine.schema, others.schema] }
  return { ...own, content: { 'application/json': { schema, examples: { ...mine.examples, ...others.examples } } } }
}
