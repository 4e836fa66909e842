import { slices } from '../../http/slices.ts'
import { perResource } from '../declaration/per-resource.ts'
import type { Input, Resource, Values } from '../declaration/resource.ts'
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

/** A mutation, with everything that needs no database. */
export interface Prepared {
  mutation: Mutation
  resource: Resource
  digest: Buffer
  body: PreparedBody | undefined
  base: PreparedBody | undefined
}

/** Validates mutations before the lock of their company. Other requests run in between. @param all the resources that mutations can write @param caller as `callerOf` names it */
export async function prepareMutations (all: readonly Resource[], company: number, mutations: Mutation[], caller: string): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  const pause = slices(caller)
  for (const mutation of mutations) {
    const { op, body, base = {} } = mutation
    const resource = all.find(({ name }) => name === mutation.resource) as Resource
    const digest = inputDigest(mutation)
    const kind = op === 'create' ? 'create' : 'patch'
    prepared.push({
      mutation,
      resource,
      digest,
      body: op === 'delete' ? undefined : prepareBody(resource, kind, body as Values, company),
      base: op === 'update' ? prepareBody(resource, kind, base, company) : undefined
    })
    await pause()
  }
  return prepared
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
