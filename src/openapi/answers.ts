import { isAccountOperation } from '../auth/authority.ts'
import { errorAnswers, sharedAnswers, type ErrorAnswerName } from '../http/error-answers.ts'
import { mediaTypes } from '../http/media.ts'
import { failures, type FailureName } from './failures.ts'
import { headersOf, headersOfDeprecated } from './headers.ts'
import { hasDeprecated, levelsOf, type Operation } from './operation.ts'
import type { Schema } from './standard.ts'

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
const csvContent = {
  'text/csv': { schema: { type: 'string', description: 'The whole list: a header of field names, then one row for each record.' } }
}

/** Content of a drawing or of pages to print. */
const media = {
  [mediaTypes.svg]: { schema: { type: 'string', description: 'The drawing as SVG.' } },
  [mediaTypes.pdf]: { schema: { type: 'string', contentMediaType: mediaTypes.pdf, description: 'Pages of letter size.' } }
}

/**
 * The answers of an operation: those of its schemas, and the error answers of its kind and access.
 * @param own the answers of its schemas, as OpenAPI responses
 */
export function answersOf (operation: Operation, own: Schema): Schema {
  const answers: Schema = {}
  const ofAll = hasDeprecated(operation) ? Object.keys(headersOfDeprecated) : []
  for (const status of ownStatuses(operation)) {
    const content = contentOfAnswer(operation, status, own[status])
    const names = [...Number(status) < 400 && status !== '302' ? successHeaders(operation) : [], ...ofAll]
    const description = meanings[status] ?? own[status].description
    answers[status] = { description, headers: headersOf(Number(status), names), ...content === undefined ? {} : { content } }
  }
  for (const [status, name] of errorsOf(operation)) {
    const more = [...errorHeaders(operation, status), ...ofAll]
    const shared = more.length > 0 || !isComponent(name) ? withHeaders(name, status, more) : { $ref: `#/components/responses/${name}` }
    answers[status] = answers[status] === undefined ? shared : either(answers[status], failures[name])
  }
  return answers
}

/** Whether the document has an error answer as a component. */
function isComponent (name: FailureName): boolean {
  return name === 'Invalid' || Object.hasOwn(sharedAnswers, name)
}

/** The content of an answer of the route's schemas, or undefined for an answer without a body. */
function contentOfAnswer ({ kind, csv, media: other, schema }: Operation, status: string, own: Schema | undefined): Schema | undefined {
  const declared: Schema | undefined = schema['response']?.[status]
  if (status === '302' || declared === undefined || declared['type'] === 'null') return undefined
  if (kind.answerTypes !== undefined) return fileContent(kind.answerTypes)
  if (status !== '200') return own?.['content']
  return { ...own?.['content'], ...csv ? csvContent : {}, ...other === undefined ? {} : { [other]: media[other] } }
}

/** Content of a file, by its media type. */
export function fileContent (types: readonly string[]): Schema {
  const schemaOf = (type: string) => ({ type: 'string', contentMediaType: type, description: 'The bytes of the file.' })
  return Object.fromEntries(types.map(type => [type, { schema: schemaOf(type) }]))
}

/** Statuses of the route's schemas: 204 if it has none, and 304 for an answer with a version. */
function ownStatuses ({ kind, schema }: Operation): string[] {
  const statuses = Object.keys(schema['response'] ?? { 204: null })
  return kind.takes?.includes('IfNoneMatch') === true ? [...new Set([...statuses, '304'])] : statuses
}

function successHeaders ({ kind: { sends = [] }, csv }: Operation): readonly string[] {
  return csv ? [...sends, 'Content-Disposition'] : sends
}

function errorHeaders ({ kind: { sendsOnError } }: Operation, status: string): readonly string[] {
  return sendsOnError?.[Number(status)] ?? sendsOnError?.every ?? []
}

/** The error answers of an operation: those of every one, of its access, and of its kind. */
function errorsOf ({ access, kind }: Operation): Array<[status: string, name: FailureName]> {
  const byStatus = new Map<string, FailureName>()
  for (const name of [...ofAccess(access), ...kind.fails ?? []]) byStatus.set(String(errorAnswers[name].status), name)
  return [['400', 'Invalid'], ...byStatus]
}

function ofAccess (access: Operation['access']): ErrorAnswerName[] {
  const ofEvery = ['NotAcceptable', 'Failed', 'Unavailable'] as const
  if (access === 'public') return [...ofEvery]
  const forbidden = isAccountOperation(access) ? 'Forbidden' : 'ForbiddenInCompany'
  return [...ofEvery, 'Unauthorized', 'Throttled', ...levelsOf(access) === undefined ? [] : [forbidden] as const]
}

/** A shared error answer with more headers. */
function withHeaders (name: FailureName, status: string, names: string[]): Schema {
  const { headers, ...others }: Schema = failures[name]
  return { ...others, headers: { ...headers, ...headersOf(Number(status), names) } }
}

/** An answer with the schema of the route or the shared one. */
function either (own: Schema, shared: Schema): Schema {
  const [mine, others] = [own, shared].map(answer => answer['content']['application/json'])
  const schema = { anyOf: [mine.schema, others.schema] }
  return { ...own, content: { 'application/json': { schema, examples: { ...mine.examples, ...others.examples } } } }
}
