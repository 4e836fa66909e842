import { inSavepoint } from '../../database/turns/unit-of-work.ts'
import { httpError, type Problem } from '../../http/errors.ts'
import type { Resource } from '../declaration/resource.ts'
import { newRecord } from '../writing/create.ts'
import { independent, writeSet, type Failure } from '../writing/in-order.ts'
import { ownExternalIds } from '../writing/input.ts'
import { changedRecord, findCurrent, requireCurrent, type Current } from '../writing/update.ts'
import { isWritable, writeValidPart, type PartStep } from '../writing/valid-part.ts'
import { refuseFound } from '../writing/writable.ts'
import { createInput, idAndVersion, recordOf, updateOf, type Context } from './inputs.ts'
import { neededFor, refsOf, type Prepared, type PreparedCreate, type PreparedUpdate } from './prepare.ts'
import { resultOfError, type Result } from './results.ts'

/** Maximum mutations that are written together. */
export const maxSet = 50

/**
 * Runs the first mutations together, if they create or change different records of one resource, and none depends on another. Each has the
 * result that it has alone, in order, or nothing is written.
 * @returns the results of these mutations, and how many could run together
 */
export async function runTogether (context: Context, mutations: Prepared[]): Promise<{ results: Result[], tried: number }> {
  const together = candidates(context, mutations)
  if (together.length < 2) return { results: [], tried: together.length }
  const { resource } = mutations[0]
  const steps = await firstIndependent(context, resource, await stepsOf(context, together))
  if (steps.length < 2) return { results: [], tried: steps.length }
  return { results: await runSet(context, resource, steps) ?? [], tried: steps.length }
}

/** A mutation whose record is known. */
interface Candidate {
  prepared: PreparedCreate | PreparedUpdate
  /** Id of the record to change; undefined for a new one. */
  id?: number | undefined
  /** Its result, if it is refused before its record is read. */
  forbidden?: Result
}

/** A step of a mutation, by the id of the mutation. */
interface MutationStep extends PartStep {
  mutation: number
  /** Its result, if it is refused before it is checked against other data. */
  forbidden?: Result
  /** Id of the record to change. The record does not always exist. */
  id: number | undefined
}

/** The first mutations that create or change different records of one resource, without refs to each other. */
function candidates (context: Context, mutations: Prepared[]): Candidate[] {
  const found: Candidate[] = []
  const seen = new Set<unknown>()
  let isRenamed = false
  for (const prepared of mutations) {
    const { resource, mutation } = prepared
    if (prepared.op === 'delete' || resource !== mutations[0]?.resource) break
    const { input } = prepared.body
    const inputs = prepared.op === 'update' ? [input, prepared.base.input] : [input]
    const referred = inputs.flatMap(one => ownExternalIds(resource, one))
    // The id that an update takes away is not known yet.
    if (isRenamed && referred.length > 0) break
    const candidate = candidateOf(context, prepared)
    if ([candidate.id, ...refsOf(mutation), ...referred.map(externalName)].some(name => seen.has(name))) break
    isRenamed ||= prepared.op === 'update' && input.values['external_id'] !== undefined
    for (const name of [candidate.id, mutation.ref, externalName(input.values['external_id'])]) if (name !== undefined) seen.add(name)
    found.push(candidate)
  }
  return found
}

function candidateOf (context: Context, prepared: PreparedCreate | PreparedUpdate): Candidate {
  try {
    if (!context.may(neededFor(prepared.mutation, prepared.resource))) throw httpError(403)
    return { prepared, id: prepared.op === 'update' ? recordOf(context, prepared) : undefined }
  } catch (error) {
    return { prepared, forbidden: resultOfError(prepared.mutation.id, error, context.say) }
  }
}

/** A name of a record that later mutations can refer to. A ref has no space. */
function externalName (externalId: unknown): string {
  return `external ${String(externalId)}`
}

/** The steps of candidates. @throws faults */
async function stepsOf (context: Context, together: Candidate[]): Promise<MutationStep[]> {
  const { work, company, say } = context
  const currents = await Promise.all(
    together.map(async ({ prepared, id }) => id === undefined ? undefined : await findCurrent(work, prepared.resource, company, id))
  )
  return await Promise.all(together.map(async ({ prepared, id, forbidden }, index): Promise<MutationStep> => {
    const current = currents[index]
    const known = { index, mutation: prepared.mutation.id, id, current }
    if (forbidden !== undefined) return { ...known, record: {}, forbidden }
    try {
      return { ...known, ...await writeOf(context, prepared, current) }
    } catch (error) {
      return { ...known, record: {}, forbidden: resultOfError(prepared.mutation.id, error, say) }
    }
  }))
}

async function writeOf (
  context: Context, prepared: PreparedCreate | PreparedUpdate, found: Current | undefined
): Promise<Pick<MutationStep, 'record' | 'problems' | 'conflict'>> {
  if (prepared.op === 'create') return newRecord(prepared.resource, await createInput(context, prepared))
  const { current, input } = await updateOf(context, prepared, found)
  return changedRecord(prepared.resource, current, input)
}

/** The steps up to the first that depends on another. */
async function firstIndependent ({ work }: Context, resource: Resource, steps: MutationStep[]): Promise<MutationStep[]> {
  const checked = steps.filter(({ forbidden }) => forbidden === undefined)
  const dependent = checked[(await independent(work.pause, resource, checked)).length]
  return dependent === undefined ? steps : steps.slice(0, dependent.index)
}

/** Writes the valid steps. @returns the result of each step, or undefined if the steps must run in smaller sets */
async function runSet (context: Context, resource: Resource, steps: MutationStep[]): Promise<Result[] | undefined> {
  const { work, company } = context
  const ids: Map<number, number> | Failure = steps.every(isWritable) ? await writeSet(work, resource, company, steps) : 'skipped'
  if (typeof ids !== 'string') return await resultsOf(context, resource, steps, { ids, conflicts: new Map() })
  const part = await writeValidPart(work, resource, company, steps, { isRehearsal: true, hasFailed: ids === 'error' })
  if (part === undefined) return undefined
  const { valid, conflicts } = part
  return await inSavepoint(work.run, async () => {
    const written = await writeSet(work, resource, company, valid)
    const result = typeof written === 'string' ? undefined : await resultsOf(context, resource, steps, { ids: written, conflicts })
    return { result, isKept: result !== undefined }
  })
}

/**
 * The results of steps.
 * @param known the ids of written records, and the conflicts of refused steps, by index
 * @returns undefined if another mutation of the set has changed the record of a refused one
 */
async function resultsOf (
  { work, company, say }: Context, resource: Resource, steps: MutationStep[],
  { ids, conflicts }: { ids: Map<number, number>, conflicts: Map<number, Problem[]> }
): Promise<Result[] | undefined> {
  const records = await Promise.all(steps.map(async ({ index, id }) => {
    if (ids.has(index)) return await requireCurrent(work, resource, company, ids.get(index))
    return id === undefined ? undefined : await findCurrent(work, resource, company, id)
  }))
  const results: Result[] = []
  for (const [place, step] of steps.entries()) {
    const { index, mutation, current, forbidden } = step
    const record = records[place]
    if (ids.has(index) && record !== undefined) {
      results.push({ id: mutation, status: current === undefined ? 201 : 200, record: idAndVersion(record) })
    } else if (record?.version !== current?.version) return undefined
    else results.push(forbidden ?? resultOfError(mutation, refusalOf(step, conflicts.get(index) ?? []), say))
  }
  return results
}

/** The error that a refused mutation gets when it runs alone. */
function refusalOf ({ problems = [], conflict }: MutationStep, conflicts: Problem[]): unknown {
  try {
    refuseFound(problems, conflicts)
  } catch (error) {
    return error
  }
  return httpError(409, conflict && { key: conflict })
}
