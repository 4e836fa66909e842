import type { Problem } from '../../http/errors.ts'
import { ExactNumber } from '../validation/exact-json.ts'
import { typeName } from '../validation/problems.ts'
import type { Mutation } from './schemas.ts'

const needed: Record<Mutation['op'], ReadonlyArray<keyof Mutation>> = { create: ['body'], update: ['record', 'body'], delete: ['record'] }
const optional: Record<Mutation['op'], ReadonlyArray<keyof Mutation>> = { create: ['ref'], update: ['base'], delete: ['version'] }

/**
 * Problems of a body's shape beyond its schema: fields that an `op` needs or does not have, repeated ids, and neither mutations nor
 * `acknowledged`.
 */
export function shapeProblems (body: unknown): Problem[] {
  const { mutations, acknowledged }: { mutations?: unknown, acknowledged?: unknown } = Object(body)
  if (Array.isArray(mutations) && mutations.length === 0 && acknowledged === undefined) {
    return [{ field: 'mutations', key: 'minItems', values: { min_length: 1 } }]
  }
  const ids = new Set<number>()
  return (Array.isArray(mutations) ? mutations : []).flatMap((mutation: Mutation, index) => {
    const op: unknown = mutation?.op
    // The schema refuses other values, which can be objects with a `toString` of the caller.
    if (!isOperation(op)) return []
    const problem = (field: string, key: Problem['key']): Problem => ({ field: `mutations.${index}.${field}`, key })
    const missing = needed[op].filter(field => mutation[field] === undefined)
    const unknown = (['record', 'ref', 'base', 'body', 'version'] as const).filter(field => mutation[field] !== undefined && !needed[op].includes(field) && !optional[op].includes(field))
    const wrong = (['base', 'body'] as const).filter(field => mutation[field] instanceof ExactNumber)
    const isRepeated = ids.has(mutation.id)
    ids.add(mutation.id)
    return [
      ...missing.map(field => problem(field, 'required')),
      ...unknown.map(field => problem(field, 'unknownField')),
      ...wrong.map(field => ({ ...problem(field, 'notObject'), values: { datatype: typeName(mutation[field]) } })),
      ...isRepeated ? [problem('id', 'unique')] : [],
      ...isDeep(mutation) ? [{ field: `mutations.${index}`, key: 'malformedRequest' as const }] : []
    ]
  })
}

function isOperation (op: unknown): op is Mutation['op'] {
  return typeof op === 'string' && Object.hasOwn(needed, op)
}

/** Depth beyond which a mutation is refused. Records that are sent back are less deep. */
const mostLevels = 64

/** Whether a value is nested too deeply for functions that call themselves. */
function isDeep (value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth < mostLevels; depth++) {
    level = level.flatMap(one => typeof one === 'object' && one !== null ? Object.values(one) : [])
    if (level.length === 0) return false
  }
  return true
}
