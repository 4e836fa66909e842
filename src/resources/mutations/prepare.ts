import { limits } from '../../config/limits.ts'
import type { Operation } from '../../auth/access.ts'
import { perResource } from '../../database/turns/batch-requests.ts'
import type { Problem } from '../../http/errors.ts'
import { requestSlices } from '../../http/slices.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { compile } from '../validation/compile.ts'
import { ExactNumber } from '../validation/exact-json.ts'
import { problemsOf, typeName } from '../validation/problems.ts'
import { bodyInput, type Home, inputDigest } from '../writing/input.ts'
import { refPattern, type Mutation } from './schemas.ts'

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
    const unknown = (['record', 'ref', 'base', 'body', 'version'] as const).filter(field =>
      mutation[field] !== undefined && !needed[op].includes(field) && !optional[op].includes(field))
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
const mostLevels = limits.bodies.mutationLevels

/** Whether a value is nested too deeply for functions that call themselves. */
function isDeep (value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth < mostLevels; depth++) {
    level = level.flatMap(one => typeof one === 'object' && one !== null ? Object.values(one) : [])
    if (level.length === 0) return false
  }
  return true
}

/** A body that is validated, with the refs whose records are known only in the transaction. */
export interface PreparedBody {
  input: Input
  refs: RefsByField
}

interface Described {
  mutation: Mutation
  resource: Resource
  digest: Buffer
}

/** A mutation that creates a record. */
export interface PreparedCreate extends Described {
  op: 'create'
  body: PreparedBody
}

/** A mutation that changes a record. */
export interface PreparedUpdate extends Described {
  op: 'update'
  body: PreparedBody
  base: PreparedBody
}

/** A mutation, with everything that needs no database. */
export type Prepared = PreparedCreate | PreparedUpdate | (Described & { op: 'delete' })

/** The operation that a mutation needs at least: that of the resource's own request. */
export function neededFor ({ op }: Pick<Mutation, 'op'>, { access }: Resource): Operation {
  return op === 'delete' ? access.remove : access.write
}

/**
 * Validates mutations before the lock of their company. Other requests run in between.
 * @param all the resources that mutations can write
 * @param caller as `callerOf` names it
 */
export async function prepareMutations (all: readonly Resource[], home: Home, mutations: Mutation[], caller: string): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  const pause = requestSlices.begin(caller)
  for (const mutation of mutations) {
    const resource = all.find(({ name }) => name === mutation.resource)
    if (resource === undefined) throw new Error(`mutations do not write ${mutation.resource}`)
    prepared.push(prepare(mutation, resource, home))
    await pause()
  }
  return prepared
}

function prepare (mutation: Mutation, resource: Resource, home: Home): Prepared {
  const { op, body = {}, base = {} } = mutation
  const described = { mutation, resource, digest: inputDigest(mutation) }
  switch (op) {
    case 'create': return { ...described, op, body: prepareBody(resource, 'create', body, home) }
    case 'update': return {
      ...described, op, body: prepareBody(resource, 'patch', body, home), base: prepareBody(resource, 'patch', base, home)
    }
    case 'delete': return { ...described, op }
  }
}

const validatorsOf = perResource(({ schemas }: Resource) => ({ create: compile(schemas.create), patch: compile(schemas.patch) }))

/** Validates a body with a valid id in place of each ref, with the problems that its own endpoint would report. */
function prepareBody (resource: Resource, kind: 'create' | 'patch', given: Values, home: Home): PreparedBody {
  const refs = referencesOf(resource, given)
  const body = { ...given, ...Object.fromEntries(Object.keys(refs).map(field => [field, 1])) }
  const validate = validatorsOf(resource)[kind]
  const problems = validate(body) ? [] : problemsOf(validate.errors ?? [])
  return { input: bodyInput(body, resource, problems, home), refs }
}

/** The refs that a mutation gives or uses. */
export function refsOf ({ ref, record, body, base }: Mutation): string[] {
  return [record, ...Object.values(body ?? {}), ...Object.values(base ?? {})].flatMap(value => isRef(value) ? [value.ref] : [])
    .concat(ref ?? [])
}

/** The refs of a body by the field that has them, each with the resource that the field refers to. */
type RefsByField = Record<string, { value: unknown, resource: string }>

/** The refs in the reference fields of a body. */
function referencesOf ({ references }: Resource, body: Values): RefsByField {
  return Object.fromEntries(Object.entries(references).flatMap(([field, { resource }]) =>
    Object.hasOwn(body, field) && isRef(body[field]) ? [[field, { value: body[field], resource }]] : []))
}

/** Whether a value is the ref of a record, `{"ref": …}`. */
export function isRef (value: unknown): value is { ref: string } {
  if (typeof value !== 'object' || value === null || !('ref' in value) || Object.keys(value).length !== 1) return false
  return typeof value.ref === 'string' && refPattern.test(value.ref)
}
