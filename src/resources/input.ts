import type { ErrorObject } from 'ajv'
import type { FastifyRequest } from 'fastify'
import { ValidationError, type Problem } from '../errors.ts'
import { problemsOf } from '../validation/problems.ts'
import type { Resource, Values } from './resource.ts'

/** The writable part of a request's body: fields that passed the schema, and what is wrong with the others. */
export interface Input {
  values: Values
  problems: Problem[]
}

/** The {@link fieldsOf} a business resource; a `company` among them must be the active one. @throws as {@link fieldsOf} */
export function inputOf (request: FastifyRequest, resource: Resource): Input {
  const input = fieldsOf(request, [...Object.keys(resource.columns), ...Object.keys(resource.references)])
  const { company } = request.body as Values
  if (company !== undefined && company !== request.tenant.company) input.problems.push({ field: 'company', key: 'companyMismatch' })
  return input
}

/**
 * The writable fields of a request's body that its schema lets through, and what is wrong with the others: the route's
 * `attachValidation` keeps both, so that what the schema finds and what the database finds are reported at once.
 * @throws {ValidationError} for a body that is no object
 */
export function fieldsOf (request: FastifyRequest, writable: string[]): Input {
  const problems = problemsOf((request.validationError?.validation ?? []) as unknown as ErrorObject[])
  const body = request.body as Values
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ValidationError(problems)

  const wrong = new Set(problems.map(({ field }) => field.split('.', 1)[0]))
  const values = Object.fromEntries(writable.filter(field => body[field] !== undefined && !wrong.has(field)).map(field => [field, body[field]]))
  return { values, problems }
}
