import type { Row } from '../../database/connection/sql.ts'
import { type UnitOfWork, inSavepoint, unitTurns } from '../../database/turns/unit-of-work.ts'
import { isHttpError, type Problem, ValidationError } from '../../http/errors.ts'
import type { Input } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import type { Reader } from '../declaration/scope.ts'
import { readRecord } from '../reading/record.ts'
import { conflictKey } from './bulk.ts'
import { findConflicts } from './conflicts.ts'
import { createRecord } from './create.ts'
import { freshIds, independent, provisionalId, resolved, without, writeSet, type Work } from './in-order.ts'
import { noteTwin, stepsOf, type ItemStep } from './item-steps.ts'
import { type Upsert, permit, type May } from './input.ts'
import { changeRecord } from './update.ts'
import { isWritable, problemsOf, writeValidPart, type Part } from './valid-part.ts'

/** The written record of an item, or the problems for which it was refused, by fields of the item. */
export type Outcome = { record: Row } | { problems: Problem[] }

/** What a rehearsal finds: the sets to write, in order, and the problems of refused items by index. */
interface Rehearsal {
  sets: ItemStep[][]
  refused: Map<number, Problem[]>
}

/**
 * Writes the valid items. The result equals that of single requests in the order of the items, where a refused request does not stop
 * later ones. A refused item uses no id. With `upsert`, an item for the same record as an earlier written one is refused.
 * @returns an outcome per item, in the order of the items
 */
export async function writeValidItems ({ run }: UnitOfWork, resource: Resource, company: number, items: Input[], upsert: Upsert, may: May): Promise<Outcome[]> {
  const work = { run, ...unitTurns(run) }
  const steps = await stepsOf(work, resource, company, items, upsert)
  for (const step of steps) refuseForbidden(resource, step, may)
  const { sets, refused } = await writeValid(work, resource, company, steps, upsert)
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
async function writeValid (work: Work, resource: Resource, company: number, steps: ItemStep[], upsert: Upsert): Promise<{ sets: Array<Map<number, number>>, refused: Rehearsal['refused'] }> {
  const isKept = ({ sets }: Rehearsal) => sets.flat().every(({ current }) => current !== undefined)
  const rehearsal = await inSavepoint(work.run, async () => {
    const result = await rehearse(work, resource, company, steps, upsert)
    return { result, isKept: isKept(result) }
  })
  const { sets, refused } = rehearsal
  if (isKept(rehearsal)) return { sets: [], refused }
  // Without the refused items, the others are often one set.
  const all = sets.flat()
  const atOnce = independent(resource, all).length === all.length ? await writeSet(work, resource, company, all) : undefined
  if (atOnce !== undefined) return { sets: [atOnce], refused }
  const written: Array<Map<number, number>> = []
  const fresh = await freshIds(work.run, resource, all)
  for (const set of sets) {
    const ids = await writeSet(work, resource, company, set, index => fresh.get(index))
    if (ids === undefined) throw new Error('items that were valid cannot be written')
    written.push(ids)
  }
  return { sets: written, refused }
}

/**
 * Finds the items to write. A set whose items are all valid takes the statements of a bulk. Otherwise its valid part is written. A set with
 * an item whose problems depend on its place is halved.
 */
async function rehearse (work: Work, resource: Resource, company: number, steps: ItemStep[], upsert: Upsert): Promise<Rehearsal> {
  const seen = new Set<string>()
  const rehearsal: Rehearsal = { sets: [], refused: new Map() }
  let rest = steps
  for (let size = steps.length; rest.length > 0;) {
    const next = rest.slice(0, size)
    for (const step of next) if (step.key !== undefined && seen.has(step.key)) noteTwin(step, seen, upsert)
    const set = beforeTwin(independent(resource, next))
    const part = await partOf(work, resource, company, await Promise.all(set.map(async step => await resolved(work, resource, company, step))))
    if (part === undefined) {
      size = Math.ceil(set.length / 2)
      continue
    }
    // The steps as they were, because records get other ids in the end.
    const written = set.filter(({ index }) => !part.refused.has(index))
    if (written.length > 0) rehearsal.sets.push(written)
    for (const step of written) noteTwin(step, seen, upsert)
    for (const [index, problems] of part.refused) rehearsal.refused.set(index, problems)
    rest = without(rest, set)
    size *= 2
  }
  return rehearsal
}

/** The steps up to the first one whose record an earlier one would write. If the earlier one is refused, this one can be valid. */
function beforeTwin (steps: ItemStep[]): ItemStep[] {
  const keys = new Set<string>()
  const end = steps.findIndex((step) => {
    if (step.key === undefined || !isWritable(step)) return false
    const isTwin = keys.has(step.key)
    keys.add(step.key)
    return isTwin
  })
  return end === -1 ? steps : steps.slice(0, end)
}

async function partOf (work: Work, resource: Resource, company: number, set: ItemStep[]): Promise<Part | undefined> {
  const [one] = set
  if (set.length === 1 && isWritable(one)) {
    const problems = await attempt(work, resource, company, one)
    return problems === undefined ? { written: set, refused: new Map() } : { written: [], refused: new Map([[one.index, problems]]) }
  }
  if (set.length === 1) {
    const found = one.forbidden === undefined ? await findConflicts(work.read, resource, company, one.record, one.current?.id) : []
    return { written: [], refused: new Map([[one.index, problemsOf(one, found)]]) }
  }
  const ids = set.every(isWritable) ? await writeSet(work, resource, company, set, provisionalId) : undefined
  if (ids !== undefined) return { written: set, refused: new Map() }
  return await writeValidPart(work, resource, company, set)
}

/** Writes one item. @returns its problems, or undefined if it is written */
async function attempt (work: Work, resource: Resource, company: number, { index, input, current }: ItemStep): Promise<Problem[] | undefined> {
  try {
    if (current === undefined) await createRecord(work, resource, company, input, provisionalId(index))
    else if ((await changeRecord(work, resource, company, current, input, true)).isOvertaken) return [{ field: '', key: 'conflict' }]
    return undefined
  } catch (error) {
    if (error instanceof ValidationError) return error.problems
    if (isHttpError(error) && error.statusCode === 409) return [{ field: '', key: conflictKey(error) }]
    throw error
  }
}
