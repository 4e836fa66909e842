import { Type, type Static } from '@sinclair/typebox'
import { limits } from '../../config/limits.ts'
import { exampleCursor } from '../feed/schemas.ts'
import { Choice, Id, UuidInput } from '../declaration/schemas.ts'
import { codesOfProblems, type ProblemCode } from '../../http/problem-codes.ts'
import { largestAccountId, largestId } from '../validation/convert.ts'
import type { Result } from './results.ts'

/** Maximum mutations of a request. */
const mostMutations = limits.bodies.mutationsOfRequest

/** The form of a ref: up to 64 letters, digits and `_.:-`. */
export const refPattern = /^[\w.:-]{1,64}$/

const Ref = Type.String({ pattern: refPattern.source, description: 'Name that the device gives to the record.', examples: ['c1'] })

/** An id, or the name of a record that this device has created. */
const RecordOrRef = Type.Unsafe<number | { ref: string }>({
  type: ['integer', 'object'],
  minimum: 1,
  maximum: largestId,
  references: true,
  properties: { ref: Ref },
  required: ['ref'],
  additionalProperties: false,
  description: 'Id of the record, or `{"ref": …}` for one that this device has created.',
  examples: [57]
})

/** Fields by name. Not `Type.Record`, whose pattern misses names with a line break. */
const Fields = { type: 'object', additionalProperties: true }

/** A mutation, as its request has it. */
export type Mutation = Static<ReturnType<typeof mutationOf>>

/** The body of a request. */
export interface MutationRequest {
  device: string
  acknowledged?: number
  cursor?: string
  mutations: Mutation[]
}

/** The answer to a request. */
export interface MutationAnswer {
  results: Result[]
  /** The request's cursor with the revision that the mutations have reached. */
  cursor?: string
}

function mutationOf (resources: readonly string[], [{ resource }]: Example) {
  return Type.Object({
    id: Type.Integer({
      minimum: 1, maximum: largestId, description: 'Number of the mutation, which the device counts up.', examples: [41]
    }),
    op: Choice(['create', 'update', 'delete'], { title: 'MutationOperation' }),
    resource: Choice(resources, { title: 'ResourceName', examples: [resource] }),
    record: Type.Optional(RecordOrRef),
    ref: Type.Optional(
      Type.String({ ...Ref, description: 'For `create`: name of the new record, with which later mutations refer to it.' })
    ),
    base: Type.Optional(Type.Unsafe<Record<string, unknown>>({
      ...Fields, description: 'For `update`: the values that the device had. A field that has another value now is in conflict.'
    })),
    body: Type.Optional(Type.Unsafe<Record<string, unknown>>({
      ...Fields, description: 'Fields as in POST or PATCH of the resource. References can be `{"ref": …}`.'
    })),
    version: Type.Optional(
      Type.Integer({ minimum: 1, maximum: largestAccountId, description: 'For `delete`: the version that the device has seen.' })
    )
  }, { title: 'Mutation', additionalProperties: false })
}

/** Mutations as a device sends them. */
type Example = readonly [{ resource: string }, ...object[]]

/** The schemas of `mutations/` for these resources. @param example of a request */
export function mutationSchemas (resources: readonly string[], example: Example) {
  const body = Type.Object({
    device: Type.String({ ...UuidInput, description: 'Id that the app has generated once.' }),
    acknowledged: Type.Optional(Type.Integer({
      minimum: 0, maximum: largestId, description: 'The device has the results of all mutations up to this id.', examples: [40]
    })),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Where the device is in the change feed. ' +
          "The mutations run only if it can be continued: not for another company's records, or after the database was restored.",
        examples: [exampleCursor]
      })
    ),
    mutations: Type.Array(mutationOf(resources, example), {
      maxItems: mostMutations, description: 'Can be empty if the request has `acknowledged`.'
    })
  }, {
    title: 'Mutations',
    sliced: 'mutations',
    additionalProperties: false,
    examples: [{ device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11', acknowledged: 0, mutations: example }]
  })
  const value = Type.Unknown()
  const result = Type.Object({
    id: Type.Integer({ description: 'Id of the mutation.', examples: [41] }),
    status: Type.Integer({
      description: 'Status that the request would have by itself, or 424 if it needs a record that does not exist.', examples: [201]
    }),
    record: Type.Optional(Type.Object(
      { id: Id, version: Type.Integer({ minimum: 1, examples: [1] }) },
      { description: 'The record that was created or changed, or that is in conflict.' }
    )),
    code: Type.Optional(Type.String({ description: 'Code of a refusal, except 400.', examples: ['conflict'] })),
    detail: Type.Optional(Type.String()),
    errors: Type.Optional(Type.Unsafe<Record<string, string[]>>({
      ...Fields, additionalProperties: { type: 'array', items: { type: 'string' } }, description: 'For 400: messages by field.'
    })),
    codes: Type.Optional(Type.Unsafe<Record<string, ProblemCode[]>>({
      ...Fields,
      additionalProperties: { type: 'array', items: Choice(codesOfProblems, { title: 'ProblemCode' }) },
      description: 'For 400: codes by field, in the order of the messages. Results that were stored by an earlier release have none.'
    })),
    fields: Type.Optional(Type.Unsafe<Record<string, object>>({
      ...Fields,
      additionalProperties: Type.Object({ base: value, current: value, yours: value }),
      description: 'For a conflict: the three values of each field.'
    })),
    replayed: Type.Optional(Type.Boolean({ description: 'Whether this is the stored result of an earlier request.', examples: [true] }))
  }, { title: 'MutationResult' })
  const answer = Type.Object({
    results: Type.Array(result, { description: 'One per mutation, in order.' }),
    cursor: Type.Optional(Type.String({
      description: 'The same position in the feed. With this cursor, the feed notices if a restore loses these mutations.',
      examples: [exampleCursor]
    }))
  }, { title: 'MutationResults' })
  return { body, answer }
}
