import { slices } from '../../http/slices.ts'
import { perResource } from '../declaration/per-resource.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { compile } from '../validation/compile.ts'
import { problemsOf } from '../validation/problems.ts'
import { inputDigest } from '../writing/idempotency.ts'
import { bodyInput } from '../writing/input.ts'
import { referencesOf, type RefsByField } from './refs.ts'
import type { Mutation } from './schemas.ts'

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

/** Validates mutations before the lock of their company. Other requests run in between. @param all the resources that mutations can write @param caller as `callerOf` names it */
export async function prepareMutations (all: readonly Resource[], company: number, mutations: Mutation[], caller: string): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  const pause = slices(caller)
  for (const mutation of mutations) {
    const resource = all.find(({ name }) => name === mutation.resource)
    if (resource === undefined) throw new Error(`mutations do not write ${mutation.resource}`)
    prepared.push(prepare(mutation, resource, company))
    await pause()
  }
  return prepared
}

function prepare (mutation: Mutation, resource: Resource, company: number): Prepared {
  const { op, body = {}, base = {} } = mutation
  const described = { mutation, resource, digest: inputDigest(mutation) }
  switch (op) {
    case 'create': return { ...described, op, body: prepareBody(resource, 'create', body, company) }
    case 'update': return { ...described, op, body: prepareBody(resource, 'patch', body, company), base: prepareBody(resource, 'patch', base, company) }
    case 'delete': return { ...described, op }
  }
}

const validatorsOf = perResource(({ schemas }: Resource) => ({ create: compile(schemas.create), patch: compile(schemas.patch) }))

/** Validates a body with a valid id in place of each ref, with the problems that its own endpoint would report. */
function prepareBody (resource: Resource, kind: 'create' | 'patch', given: Values, company: number): PreparedBody {
  const refs = referencesOf(resource, given)
  const body = { ...given, ...Object.fromEntries(Object.keys(refs).map(field => [field, 1])) }
  const validate = validatorsOf(resource)[kind]
  const problems = validate(body) ? [] : problemsOf(validate.errors ?? [])
  return { input: bodyInput(body, resource, problems, company), refs }
}
