import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { refuse, type Problem } from '../../http/errors.ts'
import { readText } from '../../http/request-body.ts'
import { requestSlices, sendersOf } from '../../http/slices.ts'
import { callerOf } from '../../limits/caller.ts'
import type { Resource } from '../declaration/resource.ts'
import { inputColumns } from './fields.ts'
import { readCsv } from './read.ts'

/** Parameters of a bulk with CSV. JSON bodies have `upsert` and `partial` as fields. */
const parameters = new Set(['upsert', 'partial', 'empty'])

/** What an empty cell does with its field. */
const choices = ['keep', 'clear']

/**
 * Makes the parser of CSV bodies of a bulk. Its body is that of a JSON request, with `upsert` and `partial` of the query.
 * @throws {ValidationError} for unknown parameters, and as {@link readCsv}
 */
export function csvBody ({ schemas }: Resource): (request: FastifyRequest, payload: IncomingMessage) => Promise<object> {
  const columns = inputColumns(schemas.create)
  const maxItems: number = schemas.bulk.properties['items']['maxItems']
  return async (request, payload) => {
    const text = await readText(request, payload)
    const query: Record<string, unknown> = Object(request.query)
    refuse(Object.entries(query).flatMap(parameterProblems))
    const { empty, ...given } = query
    const caller = callerOf(request)
    const body = { items: await readCsv(text, columns, { maxItems, clears: empty === 'clear' }, requestSlices.begin(caller)), ...given }
    sendersOf.set(body, caller)
    return body
  }
}

function parameterProblems ([field, value]: [string, unknown]): Problem[] {
  if (!parameters.has(field)) return [{ field, key: 'unknownParameter' }]
  if (Array.isArray(value)) return [{ field, key: 'repeatedParameter' }]
  if (field !== 'empty' || choices.some(choice => choice === value)) return []
  return [{ field, key: 'invalidChoiceOf', values: { input: String(value), choices: choices.join(', ') } }]
}
