import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Operation } from '../../auth/access.ts'
import type { Row } from '../../database/connection/sql.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { requestRows, type BatchQuery, type BatchRequest } from '../../database/turns/batch-requests.ts'
import { httpError, ValidationError, type Problem } from '../../http/errors.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { stateProblems } from '../declaration/states.ts'
import { wholeDigits, recordId } from '../validation/convert.ts'
import { utcInstant } from '../validation/formats.ts'
import { problemsOf } from '../validation/problems.ts'

/**
 * The valid writable fields of a request body, and the problems of the others. `attachValidation` keeps both, so that problems of the
 * schema and of the database are reported together. The `company` of a record must be the active one.
 * @throws {ValidationError} for a body that is not an object
 */
export function inputOf (request: FastifyRequest, resource: Written): Input {
  const problems = schemaProblems(request)
  if (!isObject(request.body)) throw new ValidationError(problems)
  return bodyInput(request.body, resource, problems, request.tenant)
}

/** What the input of a body follows from: the fields that it can have, and the types of their columns. */
export type Written = Pick<Resource, 'writable' | 'columns'>

/** The active company, which a body cannot change, and the time zone of times without an offset. */
export interface Home {
  company: number
  zone: string
}

/** The input of a body. @param home undefined for accounts */
export function bodyInput (body: Values, { writable, columns }: Written, problems: Problem[], home: Home | undefined): Input {
  const input = pickInput(body, writable, problems)
  if (home === undefined) return input
  if (body['company'] !== undefined && wholeDigits(body['company']) !== String(home.company)) {
    input.problems.push({ field: 'company', key: 'companyMismatch' })
  }
  for (const [field, value] of Object.entries(input.values)) {
    if (columns[field] !== 'timestamptz' || typeof value !== 'string') continue
    input.values[field] = utcInstant(value, home.zone)
    if (input.values[field] === undefined) input.problems.push({ field, key: 'notInstant' })
  }
  return input
}

/** The problems that the schema of the body has found, on a route with `attachValidation`. */
export function schemaProblems (request: FastifyRequest): Problem[] {
  const { validationError } = request
  if (validationError instanceof ValidationError) return [...validationError.problems]
  return validationError === undefined ? [] : problemsOf(validationError.validation)
}

/** Whether a value of a body is an object, and no list. */
export function isObject (value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pickInput (body: Values, writable: string[], problems: Problem[]): Input {
  const wrong = new Set(problems.map(({ field }) => field.split('.', 1)[0]))
  const values: Values = {}
  for (const field of writable) if (body[field] !== undefined && !wrong.has(field)) values[field] = body[field]
  return { values, problems }
}

/** Whether the caller can do an operation. */
export type May = (operation: Operation) => boolean

/** Checks whether the caller can make the change. @throws {HttpError} 403 */
export function permit (resource: Resource, { values }: Input, current: Values | undefined, may: May): void {
  if (resource.demands !== undefined && !may(resource.demands(values, current))) throw httpError(403)
}

/** A reference to a record by its id in another system. */
interface ExternalReference {
  external_id: string
}

/**
 * An input with ids in place of `{"external_id": …}`. A field whose record does not exist has a problem instead.
 * @param read reads rows of the company
 */
export async function withIds (
  read: (request: BatchRequest) => Promise<Row[]>, resource: Pick<Resource, 'references'>, company: number, input: Input
): Promise<Input> {
  const externals = externalIds(resource, input)
  if (externals.length === 0) return input
  const values = { ...input.values }
  const problems = [...input.problems]
  await Promise.all(externals.map(async ({ field, id }) => {
    const [row] = await read({ query: queryOf(resource.references[field].resource), company, values: [id] })
    if (row === undefined) problems.push({ field, key: 'nameDoesNotExist', values: { slug_name: 'external_id', value: id } })
    if (row === undefined) delete values[field]
    else values[field] = row['id']
  }))
  return { values, problems }
}

/** The external ids by which an input refers to records. */
function externalIds ({ references }: Pick<Resource, 'references'>, { values }: Input): Array<{ field: string, id: string }> {
  const externals: Array<{ field: string, id: string }> = []
  for (const field of Object.keys(references)) {
    const value = values[field]
    if (isExternal(value)) externals.push({ field, id: value.external_id })
  }
  return externals
}

/** Whether the validated value of a reference names the record by `external_id`. */
function isExternal (value: unknown): value is ExternalReference {
  return typeof value === 'object' && value !== null
}

/** The queries by table, each made once, because a prepared statement always has the same text. */
const queries = new Map<string, BatchQuery>()

function queryOf (table: string): BatchQuery {
  const known = queries.get(table)
  if (known !== undefined) return known
  const columns = [['external_id', 'text']] as const
  const query = {
    name: `${table} by external id`,
    columns,
    text: `
      select q.i, t.company_id as company, t.id
      from ${requestRows(columns)}
      cross join lateral ${keyedRow('external_id', { table, select: 't.company_id, t.id', value: 'q.external_id' })} t`
  }
  queries.set(table, query)
  return query
}

/** The external ids by which an input refers to records of its own resource. Earlier writes can create these. */
export function ownExternalIds (resource: Pick<Resource, 'name' | 'references'>, input: Input): string[] {
  return externalIds(resource, input).filter(({ field }) => resource.references[field].resource === resource.name).map(({ id }) => id)
}

/** An input without the external references to the own resource that `given` has: these records are not known yet. */
export function withoutOwn (resource: Pick<Resource, 'name' | 'references'>, { values, problems }: Input, given: Input): Input {
  const isOwn = (field: string) => resource.references[field]?.resource === resource.name && isExternal(given.values[field])
  return { values: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, isOwn(field) ? undefined : value])), problems }
}

/**
 * The record after an input: `base` with the given fields, and with the fields that follow from them. A refused field is `undefined`, so
 * that other checks skip it. A missing field is null.
 */
export function proposed (resource: Resource, base: Values, { values, problems }: Input): Values {
  const record: Values = {}
  for (const field of resource.written) record[field] = null
  Object.assign(record, base, values)
  for (const field of Object.keys(resource.echoed)) if (isEcho(base, values, field)) record[field] = base[field]
  for (const { field } of problems) record[field.split('.', 1)[0]] = undefined
  return resource.complete === undefined ? record : { ...record, ...resource.complete(record, values) }
}

/** The column of a current record with the shown value of a field that a change can send back. */
export const shownColumn = (field: string) => `shown_${field}`

function isEcho (base: Values, values: Values, field: string): boolean {
  return values[field] !== undefined && values[field] === base[shownColumn(field)]
}

/** The problems of a record by itself: those of the input, changed fixed fields, refused nulls, and the resource's rules. */
export function ownProblems (resource: Resource, record: Values, current: Values | undefined, { values, problems }: Input): Problem[] {
  const { fixed, notNull, states, rules } = resource
  const changed = current === undefined ? [] : fixed.filter(field => record[field] !== undefined && record[field] !== current[field])
  const refused = notNull.filter(field => record[field] === null && current?.[field] !== null)
  return [
    ...problems,
    ...changed.map((field): Problem => ({ field, key: 'immutable' })),
    ...refused.map((field): Problem => ({ field, key: 'null' })),
    ...states === undefined || (current === undefined && states.initial === undefined) ? [] : stateProblems(states, record, current),
    ...rules(record, current, values)
  ]
}

/** A record's values as parameters of a statement: its columns, then an id and a name per reference, one of them null. */
export function parametersOf ({ columns, references }: Pick<Resource, 'columns' | 'references'>, record: Values): unknown[] {
  const parameters: unknown[] = []
  for (const field of Object.keys(columns)) parameters.push(record[field])
  for (const field of Object.keys(references)) parameters.push(...referenceParameters(record[field]))
  return parameters
}

function referenceParameters (value: unknown): [id: number | null, name: string | null] {
  if (typeof value === 'string') return [null, value]
  // A provisional id is negative.
  return [value == null ? null : typeof value === 'number' ? value : recordId(value), null]
}

/** SHA-256 of a parsed body. The order of fields does not matter. */
export function inputDigest (input: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(input, sorted)).digest()
}

/** Sorts the fields of an object, for `JSON.stringify`. */
export function sorted (_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
}
