import { createHash } from 'node:crypto'
import type { UnitOfWork } from '../../database/transaction.ts'
import type { Say } from '../../http/error-list.ts'
import { httpError, isHttpError, type Problem, refuse } from '../../http/errors.ts'
import { recordId } from '../declaration/conditions.ts'
import type { CompanyResource } from '../declaration/define.ts'
import type { Input, Values } from '../declaration/resource.ts'
import { compile, type Validator } from '../validation/compile.ts'
import { problemsOf } from '../validation/problems.ts'
import { createRecord } from '../writing/create.ts'
import { sorted } from '../writing/idempotency.ts'
import { bodyInput } from '../writing/input.ts'
import { changeRecord, findCurrent, permit, removeRecord, type Current, type May } from '../writing/update.ts'
import { recall, remember, type Created, type Remembered } from './memory.ts'
import { DependencyFailed, FieldConflict, refusal, type Conflict, type Result } from './results.ts'
import type { Mutation, MutationRequest } from './schemas.ts'

/** The caller of a request with mutations, and how its messages are worded. */
export interface Sender {
  user: number
  company: number
  may: May
  say: Say
}

/** Problems of a body's shape beyond its schema: fields that an `op` needs or does not have, and repeated ids. */
export function shapeProblems (body: unknown): Problem[] {
  const { mutations } = Object(body) as { mutations?: unknown }
  const needed = { create: ['body'], update: ['record', 'body'], delete: ['record'] } as const
  const allowed: Record<Mutation['op'], ReadonlyArray<keyof Mutation>> = { create: ['body', 'ref'], update: ['record', 'body', 'base'], delete: ['record', 'version'] }
  const ids = new Set<number>()
  return (Array.isArray(mutations) ? mutations : []).flatMap((mutation: Mutation, index) => {
    // The schema refuses it.
    if (!Object.hasOwn(needed, String(mutation?.op))) return []
    const at = (field: string, key: Problem['key']): Problem => ({ field: `mutations.${index}.${field}`, key })
    const { op } = mutation
    const problems = [
      ...needed[op].filter(field => mutation[field] === undefined).map(field => at(field, 'required')),
      ...(['record', 'ref', 'base', 'body', 'version'] as const).filter(field => mutation[field] !== undefined && !allowed[op].includes(field)).map(field => at(field, 'unknownField')),
      ...ids.has(mutation.id) ? [at('id', 'unique')] : []
    ]
    ids.add(mutation.id)
    return problems
  })
}

/**
 * Runs mutations in order, each once: a repeated one gets its stored result. A refused one writes nothing and does not stop the others.
 * @throws {HttpError} 403 `device_taken`; faults, after which nothing is written and nothing remembered
 */
export async function runMutations (work: UnitOfWork, all: readonly CompanyResource[], sender: Sender, { device, acknowledged = 0, mutations }: MutationRequest): Promise<Result[]> {
  const { company, say } = sender
  const memory = await recall(work.run, sender, device, acknowledged, mutations.map(({ id }) => id), mutations.flatMap(refsOf))
  const fresh: Remembered[] = []
  const created: Array<[string, Created]> = []
  const results: Result[] = []
  for (const mutation of mutations) {
    const { id } = mutation
    const digest = createHash('sha256').update(JSON.stringify(mutation, sorted)).digest()
    const known = memory.results.get(id)
    if (known !== undefined) {
      results.push(known.digest.equals(digest) ? { ...known.result, replayed: true } : refusal(id, httpError(422, { key: 'mutationMismatch' }), say))
    } else if (id <= memory.acknowledged) {
      results.push(refusal(id, httpError(409, { code: 'already_acknowledged', key: 'alreadyAcknowledged' }), say))
    } else {
      const result = await runOne(work, all, sender, mutation, memory.refs).catch(error => refusal(id, error, say))
      if (mutation.ref !== undefined && result.status === 201) {
        const record = { resource: mutation.resource, id: result.record?.id as number }
        memory.refs.set(mutation.ref, record)
        created.push([mutation.ref, record])
      }
      fresh.push({ digest, result })
      results.push(result)
    }
  }
  await remember(work.run, company, device, fresh, created)
  return results
}

/** Runs one mutation. @throws its refusal */
async function runOne (work: UnitOfWork, all: readonly CompanyResource[], { company, may }: Sender, mutation: Mutation, refs: ReadonlyMap<string, Created>): Promise<Result> {
  const { id, op, version } = mutation
  const resource = all.find(({ name }) => name === mutation.resource) as CompanyResource
  if (!may(op === 'delete' ? 'delete' : 'edit')) throw httpError(403)
  const record = mutation.record === undefined ? 0 : recordId(resolved(mutation.record, resource.name, refs))

  if (op === 'delete') {
    const removed = await removeRecord(work, resource, company, String(record), seen => version === undefined || seen.version === version).catch((error) => {
      if (isHttpError(error) && error.statusCode === 404) return true
      throw error
    })
    if (removed === undefined) throw httpError(409)
    return { id, status: 204 }
  }

  const body = withRecords(resource, mutation.body as Values, refs)
  if (op === 'create') {
    const input = validated(resource, 'create', body, company)
    if (mutation.ref !== undefined && refs.has(mutation.ref)) input.problems.push({ field: 'ref', key: 'unique' })
    permit(resource, input, undefined, may)
    return { id, status: 201, record: seenOf(await createRecord(work, resource, company, input)) }
  }

  const input = validated(resource, 'patch', body, company)
  const base = validated(resource, 'patch', withRecords(resource, mutation.base ?? {}, refs), company)
  refuse(base.problems.map(problem => ({ ...problem, field: `base.${problem.field}` })))
  const current = await findCurrent(work, resource, company, 'id', record)
  permit(resource, input, current, may)
  if (current === undefined) throw httpError(404)
  await refuseConflicts(work, resource, company, current, base.values, input.values)
  const changed = await changeRecord(work, resource, company, current, input)
  if (changed === undefined) throw httpError(409)
  return { id, status: 200, record: seenOf(changed) }
}

function seenOf ({ id, version }: Values): { id: number, version: number } {
  return { id: id as number, version: version as number }
}

/** Compares the edited fields: each must still have the value that the device knew, or already have the new one. @throws {FieldConflict} */
async function refuseConflicts (work: UnitOfWork, resource: CompanyResource, company: number, current: Current, base: Values, yours: Values): Promise<void> {
  const fields: Record<string, Conflict> = {}
  for (const field of Object.keys(yours).filter(field => base[field] !== undefined)) {
    const values = { base: await idOf(base[field]), current: current[field], yours: await idOf(yours[field]) }
    if (values.current !== values.base && values.current !== values.yours) fields[field] = values

    /** References are compared by id, also if a body has a name. */
    async function idOf (value: unknown): Promise<unknown> {
      const reference = resource.references[field]
      if (reference?.byName === undefined || typeof value !== 'string') return value
      const [row] = await work.run({ text: `select id from ${reference.resource} where company_id = $1 and ${reference.byName} = $2`, values: [company, value] })
      return row?.['id'] ?? value
    }
  }
  if (Object.keys(fields).length > 0) throw new FieldConflict(seenOf(current), fields)
}

/** The refs that a mutation gives or uses. */
function refsOf ({ ref, record, body, base }: Mutation): string[] {
  return [record, ...Object.values(body ?? {}), ...Object.values(base ?? {})].flatMap(value => isRef(value) ? [value.ref] : []).concat(ref ?? [])
}

function isRef (value: unknown): value is { ref: string } {
  return typeof value === 'object' && value !== null && typeof (value as { ref?: unknown }).ref === 'string' && Object.keys(value).length === 1
}

/** The id of a record of a resource. @throws {DependencyFailed} */
function resolved (value: unknown, resource: string, refs: ReadonlyMap<string, Created>): unknown {
  if (!isRef(value)) return value
  const created = refs.get(value.ref)
  if (created?.resource !== resource) throw new DependencyFailed()
  return created.id
}

/** A body with ids instead of refs. @throws {DependencyFailed} */
function withRecords ({ references }: CompanyResource, body: Values, refs: ReadonlyMap<string, Created>): Values {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, references[field] === undefined ? value : resolved(value, references[field].resource, refs)]))
}

const validators = new WeakMap<CompanyResource, Record<'create' | 'patch', Validator>>()

/** The input of a body, with the problems that its own endpoint would report. */
function validated (resource: CompanyResource, kind: 'create' | 'patch', body: Values, company: number): Input {
  let own = validators.get(resource)
  if (own === undefined) validators.set(resource, own = { create: compile(resource.schemas.create), patch: compile(resource.schemas.patch) })
  const validate = own[kind]
  const problems = validate(body) ? [] : problemsOf(validate.errors ?? [])
  return bodyInput(body, resource, problems, company)
}
