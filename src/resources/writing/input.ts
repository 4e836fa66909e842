import type { FastifyRequest } from 'fastify'
import { ValidationError, type Problem } from '../../http/errors.ts'
import { mostMessages } from '../../http/error-list.ts'
import { problemsOf } from '../validation/problems.ts'
import { wholeDigits } from '../validation/convert.ts'
import { recordId } from '../declaration/conditions.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'

/**
 * The record after an input: `base` with the given fields, and with the fields that follow from them. A refused field is `undefined`, so that
 * other checks skip it. A missing field is null.
 */
export function proposed (resource: Resource, base: Values, { values, problems }: Input): Values {
  const record: Values = { ...Object.fromEntries(resource.written.map(field => [field, null])), ...base, ...values }
  for (const field of Object.keys(resource.echoed)) if (isEcho(base, values, field)) record[field] = base[field]
  for (const { field } of problems) record[field.split('.', 1)[0]] = undefined
  return resource.complete === undefined ? record : { ...record, ...resource.complete(record, values) }
}

/** The column of a current record with the shown value of a field that a change can send back. */
export const shownColumn = (field: string) => `shown_${field}`

function isEcho (base: Values, values: Values, field: string): boolean {
  return values[field] !== undefined && values[field] === base[shownColumn(field)]
}

/** A record's values as parameters of a statement: its columns, then an id and a name per reference, one of them null. */
export function parametersOf ({ columns, references }: Pick<Resource, 'columns' | 'references'>, record: Values): unknown[] {
  return [...Object.keys(columns).map(field => record[field]), ...Object.keys(references).flatMap(field => referenceParameters(record[field]))]
}

function referenceParameters (value: unknown): [id: number | null, name: string | null] {
  if (typeof value === 'string') return [null, value]
  // A provisional id is negative.
  return [value == null ? null : typeof value === 'number' ? value : recordId(value), null]
}

/**
 * The valid writable fields of a request body, and the problems of the others. `attachValidation` keeps both, so that problems of the schema
 * and of the database are reported together. The `company` of a record must be the active one.
 * @throws {ValidationError} for a body that is not an object
 */
export function inputOf (request: FastifyRequest, { writable }: { writable: string[] }): Input {
  const problems = schemaProblems(request)
  if (!isObject(request.body)) throw new ValidationError(problems)
  return bodyInput(request.body, { writable }, problems, request.tenant?.company)
}

/** The input of a body. @param company the active company, which a body cannot change; undefined for accounts */
export function bodyInput (body: Values, { writable }: { writable: string[] }, problems: Problem[], company: number | undefined): Input {
  const input = pickInput(body, writable, problems)
  if (company !== undefined && body['company'] !== undefined && wholeDigits(body['company']) !== String(company)) input.problems.push({ field: 'company', key: 'companyMismatch' })
  return input
}

/** The field by whose value an item changes an existing record. Without it, such an item is refused. */
export type Upsert = string | undefined

/** The items of a bulk, and how to write them. */
export interface Items {
  items: Input[]
  upsert: Upsert
  /** Whether refused items do not stop the others. */
  partial: boolean
}

/**
 * The items of a bulk body, each like {@link inputOf}, with problems by fields of the item.
 * @throws {ValidationError} if the body has no list of items or too many, or if there are more problems than a 400 lists
 */
export function itemsOf (request: FastifyRequest, { writable }: { writable: string[] }): Items {
  const problems = schemaProblems(request)
  const { items, upsert, partial = false }: { items: unknown[], upsert: Upsert, partial?: boolean } = Object(request.body)
  // An unknown field beside `items` can also have the name `items.3.folio`.
  const byItem = Map.groupBy(problems, ({ field }) => {
    const index = /^items\.(\d+)(\.|$)/.exec(field)?.[1]
    return Number(index) < items?.length ? index : undefined
  })
  if (byItem.has(undefined) || (!partial && problems.length > mostMessages)) throw new ValidationError(problems)

  return {
    upsert,
    partial,
    items: items.map((item, index) => {
      const prefix = `items.${index}.`
      const own = (byItem.get(String(index)) ?? []).map(problem => ({ ...problem, field: problem.field.slice(prefix.length) }))
      if (!isObject(item)) return { values: {}, problems: own }
      if (upsert !== undefined && item[upsert] == null) own.push({ field: upsert, key: item[upsert] === null ? 'null' : 'required' })
      return bodyInput(item, { writable }, own, request.tenant?.company)
    })
  }
}

/** The problems that the schema of the body has found, on a route with `attachValidation`. */
export function schemaProblems (request: FastifyRequest): Problem[] {
  const { validationError } = request
  if (validationError instanceof ValidationError) return [...validationError.problems]
  return validationError === undefined ? [] : problemsOf(validationError.validation)
}

function isObject (value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pickInput (body: Values, writable: string[], problems: Problem[]): Input {
  const wrong = new Set(problems.map(({ field }) => field.split('.', 1)[0]))
  const values = Object.fromEntries(writable.filter(field => body[field] !== undefined && !wrong.has(field)).map(field => [field, body[field]]))
  return { values, problems }
}
