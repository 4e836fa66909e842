import type { Row } from '../../database/connection/sql.ts'
import { answerAll, type UnitOfWork, inSavepoint, unitTurns } from '../../database/turns/unit-of-work.ts'
import { detailsOf, httpError, isHttpError, refuse, ValidationError, type HttpError, type Problem, errorList } from '../../http/errors.ts'
import { isProblemKey, type ProblemKey } from '../../http/problem-codes.ts'
import type { Input } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { recordQuery } from '../reading/record.ts'
import { findConflicts } from './conflicts.ts'
import { createRecord } from './create.ts'
import { freshIds, independent, isSound, levels, provisionalId, writeInOrder, writeSet, type Work } from './in-order.ts'
import { type Upsert, permit, type May, withIds } from './input.ts'
import { noteTwin, stepsOf, type ItemStep } from './item-steps.ts'
import { keyParameters } from './unique.ts'
import { changeRecord } from './update.ts'
import { isConflict, together } from './writable.ts'

/**
 * Creates one record per item, all or none. With `upsert`, an item with the key of a record changes that record. The result equals
 * that of single requests in the order of the items. A refused bulk uses no id.
 * @returns the complete records, in the order of the items
 * @throws {HttpError} 403; {@link ValidationError} with the problems of all items, by index; otherwise 409 with all items in conflict
 */
export async function writeItems ({ run }: UnitOfWork, resource: Resource, company: number, items: Input[], upsert: Upsert, may: May): Promise<Row[]> {
  const work = { run, ...unitTurns(run) }
  const steps = await stepsOf(work, resource, company, items, upsert)
  for (const { input, current } of steps) if (current !== undefined) permit(resource, input, current, may)
  const seen = new Set<string>()
  for (const step of steps) noteTwin(step, seen, upsert)

  const isOneSet = steps.every(isSound) && independent(resource, steps).length === steps.length
  const ids = (isOneSet ? await writeSet(work, resource, company, steps) : undefined) ?? await rehearseAndWrite(work, resource, company, steps)
  const records = await answerAll(run, items.map((_, index) => ({ query: recordQuery(resource), company, values: [ids.get(index)] })))
  return records.map(([record]) => record)
}

/**
 * Writes items in order under provisional ids, to find either their problems or the sets to write. Then rolls back and writes these sets. A
 * bulk without new records keeps the first writes.
 * @returns the ids of the records by index
 * @throws as {@link writeItems}
 */
async function rehearseAndWrite (work: Work, resource: Resource, company: number, steps: ItemStep[]): Promise<Map<number, number>> {
  const ids = new Map(steps.flatMap(({ index, current }) => current === undefined ? [] : [[index, current.id] as const]))
  const sets = await inSavepoint(work.run, async () => ({ result: await rehearse(work, resource, company, steps), isKept: ids.size === steps.length }))
  if (ids.size === steps.length) return ids
  const fresh = await freshIds(work.run, resource, steps)
  for (const set of sets) {
    const written = await writeSet(work, resource, company, set, index => fresh.get(index))
    if (written === undefined) throw httpError(409)
    for (const [index, id] of written) ids.set(index, id)
  }
  return ids
}

/**
 * Writes items in order up to the first refused one. Then attempts this and all others alone, to report all problems. Items that are
 * invalid by themselves are checked last, against the data after the others.
 */
async function rehearse (work: Work, resource: Resource, company: number, steps: ItemStep[]): Promise<ItemStep[][]> {
  const problems: Problem[] = []
  const conflicts = new Map<number, ProblemKey>()
  const report = (index: number, own: Problem[]) => problems.push(...own.map(problem => ({ ...problem, field: itemField(index, problem.field) })))
  const attempt = async ({ index, input, current }: ItemStep) => {
    try {
      if (current === undefined) await createRecord(work, resource, company, input, provisionalId(index))
      else if ((await changeRecord(work, resource, company, current, input, true)).isOvertaken) throw httpError(409)
    } catch (error) {
      if (error instanceof ValidationError) report(index, error.problems)
      else if (isHttpError(error) && error.statusCode === 409) conflicts.set(index, conflictKey(error))
      else throw error
    }
  }

  const sound = steps.filter(isSound)
  const { sets, refused, rest } = await writeInOrder(work, resource, company, sound)
  if (refused !== undefined) {
    for (const some of [[refused], ...levels(resource, rest)]) {
      // References first, so that the attempts reach the database in the order of the items.
      const inputs = await Promise.all(some.map(async ({ input }) => await withIds(work.read, resource, company, input)))
      // Waits for all, so that after an error none runs in a transaction that has ended.
      const results = await Promise.allSettled(some.map(async (step, place) => await attempt({ ...step, input: inputs[place] })))
      for (const result of results) if (result.status === 'rejected') throw result.reason
    }
  }
  await Promise.all(steps.filter(step => !isSound(step)).map(async ({ index, record, current, problems: own, conflict, twin }) => {
    const found = await findConflicts(work.read, resource, company, record, current?.id)
    // Without its parent, the item has no record yet.
    const isTwin = twin !== undefined && !found.some(({ field }) => keyParameters(resource, twin.field).slice(1).some(part => part.field === field))
    report(index, together(isTwin ? [...own, twin] : own, found.filter(problem => !isConflict(problem))))
    const closed = conflict ?? found.find(isConflict)?.key
    if (closed !== undefined) conflicts.set(index, closed)
  }))
  refuse(inOrder(problems))
  refuseConflicts(conflicts)
  return sets
}

/** The message of a 409 of a single record. */
export function conflictKey (error: HttpError): ProblemKey {
  const { key } = detailsOf(error)
  return isProblemKey(key) ? key : 'conflict'
}

/** The field under which a problem of an item is reported. */
export function itemField (index: number, field: string): string {
  return field === '' ? `items.${index}` : `items.${index}.${field}`
}

/** Throws the 409 that the first item would get by itself. `errors` contains the conflicts of all items. */
function refuseConflicts (conflicts: Map<number, ProblemKey>): void {
  const byIndex = [...conflicts].sort(([a], [b]) => a - b)
  const first = byIndex[0]?.[1]
  if (first === undefined) return
  const problems = byIndex.map(([index, key]) => ({ field: itemField(index, ''), key }))
  throw httpError(409, { key: first, extra: say => ({ ...errorList(problems, say) }) })
}

function inOrder (problems: Problem[]): Problem[] {
  const index = ({ field }: Problem) => Number(field.split('.')[1])
  return problems.sort((a, b) => index(a) - index(b))
}
