import { limits } from '../../config/limits.ts'
import type { Row } from '../../database/connection/sql.ts'
import { inSavepoint, type Work } from '../../database/turns/unit-of-work.ts'
import { errorList, httpError, mostMessages, nonFieldErrors, ValidationError, type Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Input } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { recordQuery } from '../reading/record.ts'
import { findConflicts } from './conflicts.ts'
import { type Failure, freshIds, independent, isSound, writeSet, inParts } from './in-order.ts'
import { permit, type May } from './input.ts'
import { itemField, type Upsert } from './items.ts'
import { noteTwin, stepsOf, type ItemStep } from './item-steps.ts'
import { rehearse } from './rehearsal.ts'
import { keyParameters } from './unique.ts'
import { isConflict, together } from './writable.ts'

/**
 * Creates one record per item, all or none. With `upsert`, an item with the key of a record changes that record. The result equals
 * that of single requests in the order of the items. A refused bulk uses no id.
 * @returns the complete records, in the order of the items
 * @throws {HttpError} 403; {@link ValidationError} with the problems of all items, by index; otherwise 409 with all items in conflict
 */
export async function writeItems (
  work: Work, resource: Resource, company: number, items: Input[], upsert: Upsert, may: May
): Promise<Row[]> {
  const steps = await stepsOf(work, resource, company, items, upsert)
  for (const { input, current } of steps) if (current !== undefined) permit(resource, input, current, may)
  const seen = new Set<string>()
  for (const step of steps) noteTwin(step, seen, upsert)

  const isOneSet = steps.every(isSound) && (await independent(work.pause, resource, steps)).length === steps.length
  const written = isOneSet ? await writeSet(work, resource, company, steps) : undefined
  const ids = written instanceof Map ? written : await rehearseAndWrite(work, resource, company, steps, written)
  return await inParts(work.pause, items, async (_, index) => {
    const [record] = await work.read({ query: recordQuery(resource), company, values: [ids.get(index)] })
    return record
  })
}

/**
 * Writes items in order under provisional ids, to find either their problems or the sets to write. Then rolls back and writes these sets. A
 * bulk without new records keeps the first writes.
 * @param failure how all items failed as one set, if they were tried
 * @returns the ids of the records by index
 * @throws as {@link writeItems}
 */
async function rehearseAndWrite (
  work: Work, resource: Resource, company: number, steps: ItemStep[], failure: Failure | undefined
): Promise<Map<number, number>> {
  const ids = new Map(steps.flatMap(({ index, current }) => current === undefined ? [] : [[index, current.id] as const]))
  const sets = await inSavepoint(
    work.run, async () => ({ result: await validSets(work, resource, company, steps, failure), isKept: ids.size === steps.length })
  )
  if (ids.size === steps.length) return ids
  const fresh = await freshIds(work.run, resource, steps)
  for (const set of sets) {
    const written = await writeSet(work, resource, company, set, index => fresh.get(index))
    if (typeof written === 'string') throw httpError(409)
    for (const [index, id] of written) ids.set(index, id)
  }
  return ids
}

/**
 * Maximum items of a refused bulk that are reported although only their own write shows that they are refused. Each of these writes takes
 * a round trip, while the company is locked.
 */
const mostTried = limits.work.refusedItems

/**
 * The sets to write. Reports the problems of all items, up to the limits of a 400 and to {@link mostTried}. Items that are invalid by
 * themselves are checked last, against the data after the others.
 */
async function validSets (
  work: Work, resource: Resource, company: number, steps: ItemStep[], failure: Failure | undefined
): Promise<ItemStep[][]> {
  const problems: Problem[] = []
  const conflicts = new Map<number, ProblemKey>()
  const report = (index: number, own: Problem[]) =>
    problems.push(...own.map(problem => ({ ...problem, field: itemField(index, problem.field) })))
  const { sets, refused, hasMore } = await rehearse(work, resource, company, steps.filter(isSound), {
    failure, mostTried, mostProblems: mostMessages
  })
  for (const [index, own] of refused) {
    const closed = own.find(isConflict)?.key
    if (closed === undefined) report(index, own)
    else conflicts.set(index, closed)
  }
  await inParts(work.pause, steps.filter(step => !isSound(step)), async ({ index, record, current, problems: own, conflict, twin }) => {
    const found = await findConflicts(work.read, resource, company, record, current?.id)
    // Without its parent, the item has no record yet.
    const isTwin = twin !== undefined &&
      !found.some(({ field }) => keyParameters(resource, twin.field).slice(1).some(part => part.field === field))
    report(index, together(isTwin ? [...own, twin] : own, found.filter(problem => !isConflict(problem))))
    const closed = conflict ?? found.find(isConflict)?.key
    if (closed !== undefined) conflicts.set(index, closed)
  })
  const more: Problem[] = hasMore ? [{ field: nonFieldErrors, key: 'moreProblems' }] : []
  if (problems.length > 0) throw new ValidationError([...inOrder(problems), ...more])
  refuseConflicts(conflicts, more)
  return sets
}

/**
 * Throws the 409 that the first item would get by itself. `errors` contains the conflicts of all items.
 * @param more says that there are others
 */
function refuseConflicts (conflicts: Map<number, ProblemKey>, more: Problem[]): void {
  const byIndex = [...conflicts].sort(([a], [b]) => a - b)
  const first = byIndex[0]?.[1]
  if (first === undefined) return
  const problems = byIndex.map(([index, key]) => ({ field: itemField(index, ''), key }))
  throw httpError(409, { key: first, extra: say => ({ ...errorList([...problems, ...more], say) }) })
}

function inOrder (problems: Problem[]): Problem[] {
  const index = ({ field }: Problem) => Number(field.split('.')[1])
  return problems.sort((a, b) => index(a) - index(b))
}
