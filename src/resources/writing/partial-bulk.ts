import type { Row } from '../../database/connection/sql.ts'
import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { inSavepoint, unitTurns } from '../../database/turns/unit-turns.ts'
import { isHttpError, type Problem, ValidationError } from '../../http/errors.ts'
import type { Input, Resource } from '../declaration/resource.ts'
import type { Reader } from '../declaration/scope.ts'
import { readRecord } from '../reading/record.ts'
import { conflictKey, isSound, stepsOf, type ItemStep } from './bulk.ts'
import { findConflicts } from './conflicts.ts'
import { createRecord } from './create.ts'
import { independent, writeInOrder, writeSet, type Work } from './in-order.ts'
import type { Upsert } from './input.ts'
import { changeRecord, permit, type May } from './update.ts'

/** The written record of an item, or the problems for which it was refused, by fields of the item. */
export type Outcome = { record: Row } | { problems: Problem[] }

/** What a rehearsal finds: the sets to write, in order, and the problems of refused items by index. */
interface Rehearsal {
  sets: ItemStep[][]
  refused: Map<number, Problem[]>
}

/**
 * Writes the valid items. The result equals that of single requests in the order of the items, where a refused request does not stop
 * later ones. A refused item uses no id. With `upsert`, an item for the same record as an earlier one is refused.
 * @returns an outcome per item, in the order of the items
 */
export async function writeValidItems ({ run }: UnitOfWork, resource: Resource, company: number, items: Input[], upsert: Upsert, may: May): Promise<Outcome[]> {
  const work = { run, ...unitTurns(run) }
  const steps = await stepsOf(work, resource, company, items, upsert)
  for (const step of steps) refuseForbidden(resource, step, may)
  const { sets, refused } = await writeValid(work, resource, company, steps)
  const ids = new Map(steps.flatMap(({ index, current }) => current === undefined ? [] : [[index, current.id] as const]))
  for (const written of sets) for (const [index, id] of written) ids.set(index, id)
  const read: Reader = async (query, values) => await work.read({ query, company, values })
  return await Promise.all(steps.map(async ({ index }) => {
    const problems = refused.get(index)
    return problems === undefined ? { record: await readRecord(read, resource, ids.get(index) as number) } : { problems }
  }))
}

/** An item that the caller may not write has one problem, as its single request would be a 403. */
function refuseForbidden (resource: Resource, step: ItemStep, may: May): void {
  try {
    permit(resource, step.input, step.current, may)
  } catch (error) {
    if (!isHttpError(error) || error.statusCode !== 403) throw error
    step.forbidden = { field: '', key: 'permissionDenied' }
  }
}

/** Writes under provisional ids to find the valid items, rolls back and writes these. Without new records, the first writes are kept. */
async function writeValid (work: Work, resource: Resource, company: number, steps: ItemStep[]): Promise<{ sets: Array<Map<number, number>>, refused: Rehearsal['refused'] }> {
  const isKept = ({ sets }: Rehearsal) => sets.flat().every(({ current }) => current !== undefined)
  const rehearsal = await inSavepoint(work.run, async () => {
    const result = await rehearse(work, resource, company, steps)
    return { result, isKept: isKept(result) }
  })
  const { sets, refused } = rehearsal
  if (isKept(rehearsal)) return { sets: [], refused }
  // Without the refused items, the others are often one set.
  const all = sets.flat()
  const atOnce = independent(resource, all).length === all.length ? await writeSet(work, resource, company, all, 'all') : undefined
  if (atOnce !== undefined) return { sets: [atOnce], refused }
  const written: Array<Map<number, number>> = []
  for (const set of sets) {
    const ids = await writeSet(work, resource, company, set, 'all')
    if (ids === undefined) throw new Error('items that were valid cannot be written')
    written.push(ids)
  }
  return { sets: written, refused }
}

async function rehearse (work: Work, resource: Resource, company: number, steps: ItemStep[]): Promise<Rehearsal> {
  const rehearsal: Rehearsal = { sets: [], refused: new Map() }
  for (const run of runsOf(steps)) {
    if (isWritable(run[0] as ItemStep)) await writeRun(work, resource, company, run, rehearsal)
    else for (const [index, problems] of await Promise.all(run.map(async step => await problemsOf(work, resource, company, step)))) rehearsal.refused.set(index, problems)
  }
  return rehearsal
}

/** Writes the valid ones of items that are valid by themselves. */
async function writeRun (work: Work, resource: Resource, company: number, run: ItemStep[], { sets, refused }: Rehearsal): Promise<void> {
  let rest = run
  let size = run.length
  while (rest.length > 0) {
    if (rest.length > 2) {
      const progress = await writeInOrder(work, resource, company, rest, size)
      sets.push(...progress.sets)
      if (progress.refused === undefined) return
      rest = rest.slice(rest.indexOf(progress.refused))
    }
    // Refused items are often neighbours, and a set with one of them would be halved again and again.
    for (let valid = 0; valid < 2 && rest.length > 0; rest = rest.slice(1)) {
      const [one] = rest as [ItemStep]
      const problems = await attempt(work, resource, company, one)
      if (problems === undefined) sets.push([one])
      else refused.set(one.index, problems)
      valid = problems === undefined ? valid + 1 : 0
    }
    size = 4
  }
}

/** Writes one item. @returns its problems, or undefined if it is written */
async function attempt (work: Work, resource: Resource, company: number, { index, input, current }: ItemStep): Promise<Problem[] | undefined> {
  try {
    if (current === undefined) await createRecord(work, resource, company, input, index)
    else if ((await changeRecord(work, resource, company, current, input, true)).isOvertaken) return [{ field: '', key: 'conflict' }]
    return undefined
  } catch (error) {
    if (error instanceof ValidationError) return error.problems
    if (isHttpError(error) && error.statusCode === 409) return [{ field: '', key: conflictKey(error) }]
    throw error
  }
}

/** The problems of an item that is not valid by itself, as its single request would report them. */
async function problemsOf (work: Work, resource: Resource, company: number, { index, record, current, problems, conflict, forbidden }: ItemStep): Promise<[number, Problem[]]> {
  if (forbidden !== undefined) return [index, [forbidden]]
  const all = [...problems, ...await findConflicts(work.read, resource, company, record, current?.id)]
  return [index, all.length > 0 ? all : [{ field: '', key: conflict ?? 'conflict' }]]
}

function isWritable (step: ItemStep): boolean {
  return isSound(step) && step.forbidden === undefined
}

/** Divides steps where the next one is valid by itself and the last one is not, or the reverse. */
function runsOf (steps: ItemStep[]): ItemStep[][] {
  const runs: ItemStep[][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last !== undefined && isWritable(last[0] as ItemStep) === isWritable(step)) last.push(step)
    else runs.push([step])
  }
  return runs
}
