import { newRecord } from '../writing/create.ts'
import { independent, isSound, writeSet, type Step } from '../writing/in-order.ts'
import { ownExternalIds } from '../writing/input.ts'
import { changedRecord, findCurrent, requireCurrent, type Current } from '../writing/update.ts'
import { createInput, idAndVersion, recordOf, updateOf, type Context } from './inputs.ts'
import { neededFor, type Prepared, type PreparedCreate, type PreparedUpdate } from './prepare.ts'
import { resultOfError, type Result } from './results.ts'

/** Maximum mutations that are written together. */
export const maxSet = 50

/**
 * Writes the first mutations together, if they create or change different records of one resource, and none depends on another. They are
 * written with the same result as one by one in order, or not at all.
 * @returns the results of the written ones, and how many could be written together
 */
export async function writeTogether (context: Context, mutations: Prepared[]): Promise<{ written: Result[], tried: number }> {
  const { work, company } = context
  const together = candidates(context, mutations)
  if (together.length < 2) return { written: [], tried: together.length }
  const { resource } = mutations[0]
  const steps = independent(resource, await stepsOf(context, together))
  const ids = steps.length < 2 ? 'skipped' : await writeSet(work, resource, company, steps)
  if (typeof ids === 'string') return { written: [], tried: steps.length }
  const records = await Promise.all(steps.map(async ({ index }) => await requireCurrent(work, resource, company, ids.get(index))))
  const written = steps.map(({ current }, place) => ({
    id: mutations[place].mutation.id,
    status: current === undefined ? 201 : 200,
    record: idAndVersion(records[place])
  }))
  return { written, tried: written.length }
}

/** A mutation whose record is known. */
interface Candidate {
  prepared: PreparedCreate | PreparedUpdate
  /** Id of the record to change; undefined for a new one. */
  id: number | undefined
}

/** The first mutations that create or change different records of one resource, without refs to each other. */
function candidates (context: Context, mutations: Prepared[]): Candidate[] {
  const found: Candidate[] = []
  const seen = new Set<unknown>()
  let isRenamed = false
  for (const prepared of mutations) {
    const { resource, mutation } = prepared
    if (prepared.op === 'delete' || resource !== mutations[0]?.resource || !context.may(neededFor(mutation, resource))) break
    let id: number | undefined
    try {
      if (prepared.op === 'update') id = recordOf(context, prepared)
    } catch (error) {
      resultOfError(mutation.id, error, context.say)
      break
    }
    const { input } = prepared.body
    const names = [id, mutation.ref].filter(name => name !== undefined)
    const referred = ownExternalIds(resource, input)
    // The id that an update takes away is not known yet.
    if (isRenamed && referred.length > 0) break
    if ([...names, ...referred.map(externalName)].some(name => seen.has(name))) break
    isRenamed ||= prepared.op === 'update' && input.values['external_id'] !== undefined
    for (const name of [...names, externalName(input.values['external_id'])]) seen.add(name)
    found.push({ prepared, id })
  }
  return found
}

/** A name of a record that later mutations can refer to. A ref has no space. */
function externalName (externalId: unknown): string {
  return `external ${String(externalId)}`
}

/** The steps of the first candidates that nothing refuses before the write. */
async function stepsOf (context: Context, together: Candidate[]): Promise<Step[]> {
  const { work, company, say } = context
  const currents = await Promise.all(together.map(async ({ prepared, id }) => id === undefined ? undefined : await findCurrent(work, prepared.resource, company, id)))
  const steps: Step[] = []
  for (const [index, { prepared }] of together.entries()) {
    try {
      const step = prepared.op === 'create'
        ? { ...newRecord(prepared.resource, await createInput(context, prepared)), index, current: undefined }
        : await changeStep(context, prepared, index, currents[index])
      if (!isSound(step)) return steps
      steps.push({ index, record: step.record, current: step.current })
    } catch (error) {
      // Refused, or a fault, which is thrown again.
      resultOfError(prepared.mutation.id, error, say)
      return steps
    }
  }
  return steps
}

async function changeStep (context: Context, prepared: PreparedUpdate, index: number, found: Current | undefined): Promise<Step> {
  const { current, input } = await updateOf(context, prepared, found)
  return { ...changedRecord(prepared.resource, current, input), index, current }
}
