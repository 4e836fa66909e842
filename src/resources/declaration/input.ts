import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../http/errors.ts'

/** Validated values of a record's writable fields. */
export type Values = Record<string, unknown>

/** The writable fields of a body: valid values, and problems of the others. */
export interface Input<V = Values> {
  values: V
  problems: Problem[]
  /** Problems only if the record is new: required fields that an item of an upsert omits. */
  ifNew?: Problem[]
}

/** A request that writes a record, after the check that its body is an object. */
export type WriteRequest = FastifyRequest<{ Body: Values, Params: { id?: string } }>
