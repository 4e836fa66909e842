import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { refuse, type Problem } from '../../http/errors.ts'
import { readText } from '../../http/request-body.ts'
import { slices } from '../../http/slices.ts'
import { callerOf } from '../../limits/caller.ts'
import type { Resource } from '../declaration/resource.ts'
import { sendersOf } from '../validation/sliced.ts'
import { inputColumns } from './fields.ts'
import { readCsv } from './read.ts'

/** Parameters of a bulk with CSV, which JSON bodies have as fields. */
const parameters = new Set(['upsert', 'partial'])

/**
 * Makes the parser of CSV bodies of a bulk. Its body is that of a JSON request, with `upsert` and `partial` of the query.
 * @throws {ValidationError} for unknown parameters, and as {@link readCsv}
 */
export function csvBody ({ schemas }: Resource): (request: FastifyRequest, payload: IncomingMessage) => Promise<object> {
  const columns = inputColumns(schemas.create)
  const maxItems: number = schemas.bulk.properties['items']['maxItems']
  return async (request, payload) => {
    const text = await readText(request, payload)
    const given = Object.entries(request.query as Record<string, unknown>)
    refuse(given.flatMap(parameterProblems))
    const caller = callerOf(request)
    const body = { items: await readCsv(text, columns, maxItems, slices(caller)), ...Object.fromEntries(given) }
    sendersOf.set(body, caller)
    return body
  }
}

function parameterProblems ([field, value]: [string, unknown]): Problem[] {
  if (!parameters.has(field)) return [{ field, key: 'unknownParameter' }]
  return Array.isArray(value) ? [{ field, key: 'repeatedParameter' }] : []
}
