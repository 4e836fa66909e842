import type { Row } from '../../database/connection/sql.ts'
import type { Turns } from '../../database/turns/requests.ts'
import { detailsOf, httpError, isHttpError, refuse, ValidationError, type HttpError, type Problem } from '../../http/errors.ts'
import { errorList } from '../../http/error-list.ts'
import { isProblemKey, type ProblemKey } from '../../http/problem-codes.ts'
import { createRecord, newRecord } from './create.ts'
import { findConflicts } from './conflicts.ts'
import { ownExternalIds, withIds, withoutOwn } from './external-references.ts'
import type { Upsert } from './input.ts'
import { independent, isSound, writeInOrder, writeSet, type Step, type Work } from './in-order.ts'
import { readRecord } from '../reading/record.ts'
import type { Input, Resource } from '../declaration/resource.ts'
import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { inSavepoint, unitTurns } from '../../database/turns/unit-turns.ts'
import type { Reader } from '../declaration/scope.ts'
import { isConflict } from './writable.ts'
import { keyOf } from './unique.ts'
import { changedRecord, changeRecord, findByKey, permit, type Current, type May } from './update.ts'

/** An item and its write. */
export interface ItemStep extends Step {
  input: Input
  /** Problems of the item itself. `conflict` is one with the current state of its record. */
  problems: Problem[]
  conflict: ProblemKey | undefined
  /** The problem of an item that the caller may not write. Only in a partial bulk. */
  forbidden?: Problem
}

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

  const isOneSet = steps.every(isSound) && independent(resource, steps).length === steps.length
  const ids = (isOneSet ? await writeSet(work, resource, company, steps, 'all') : undefined) ?? await rehearseAndWrite(work, resource, company, steps)
  const read: Reader = async (query, values) => await work.read({ query, company, values })
  return await Promise.all(items.map(async (_, index) => await readRecord(read, resource, ids.get(index) as number)))
}

/** The writes of items. With `upsert`, an item for the same record as an earlier one has a problem. */
export async function stepsOf (turns: Turns, resource: Resource, company: number, items: Input[], upsert: Upsert): Promise<ItemStep[]> {
  const afterNew = laterItems(resource, items, [])
  const known = await Promise.all(items.map(async (item, index) =>
    await withIds(turns.read, resource, company, afterNew[index] === undefined ? item : withoutOwn(resource, item, item))))
  const currents = upsert === undefined ? [] : await currentsOf(turns, resource, company, known, upsert)
  const later = laterItems(resource, items, currents)
  return known.map((found, index) => {
    const current = currents[index]
    const input = later[index] === undefined ? found : withoutOwn(resource, found, later[index].input)
    const written = current === undefined ? { ...newRecord(resource, input), conflict: undefined } : changedRecord(resource, current, input)
    return { index, input: later[index]?.input ?? input, current, later: later[index], ...written }
  })
}

/** The items that refer, by `external_id`, to records whose id earlier items give or take away. */
function laterItems (resource: Resource, items: Input[], currents: Array<Current | undefined>): Array<ItemStep['later']> {
  const changed = new Set<unknown>()
  return items.map((input, index) => {
    const refersTo = ownExternalIds(resource, input)
    const isLater = refersTo.some(id => changed.has(id))
    const { external_id: given } = input.values
    if (given !== undefined) changed.add(given).add(currents[index]?.['external_id'])
    return isLater ? { input, refersTo } : undefined
  })
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
  for (const set of sets) {
    const written = await writeSet(work, resource, company, set, 'all')
    if (written === undefined) throw httpError(409)
    for (const [index, id] of written) ids.set(index, id)
  }
  return ids
}

/**
 * Writes items in order up to the first refused one. Then attempts this and each later item alone, to report all problems. Items that are
 * invalid by themselves are checked last, against the data after the others.
 */
async function rehearse (work: Work, resource: Resource, company: number, steps: ItemStep[]): Promise<ItemStep[][]> {
  const problems: Problem[] = []
  const conflicts = new Map<number, ProblemKey>()
  const report = (index: number, own: Problem[]) => problems.push(...own.map(problem => ({ ...problem, field: itemField(index, problem.field) })))
  const attempt = async ({ index, input, current }: ItemStep) => {
    try {
      if (current === undefined) await createRecord(work, resource, company, input, index)
      else if ((await changeRecord(work, resource, company, current, input, true)).isOvertaken) throw httpError(409)
    } catch (error) {
      if (error instanceof ValidationError) report(index, error.problems)
      else if (isHttpError(error) && error.statusCode === 409) conflicts.set(index, conflictKey(error))
      else throw error
    }
  }

  const sound = steps.filter(isSound)
  const { sets, refused } = await writeInOrder(work, resource, company, sound)
  if (refused !== undefined) {
    const rest = sound.slice(sound.indexOf(refused) + 1)
    const alone = rest.filter(({ later }) => later !== undefined).map(step => [step])
    for (const some of [[refused], rest.filter(({ later }) => later === undefined), ...alone]) {
      // Waits for all, so that after an error none runs in a transaction that has ended.
      for (const result of await Promise.allSettled(some.map(attempt))) if (result.status === 'rejected') throw result.reason
    }
  }
  await Promise.all(steps.filter(step => !isSound(step)).map(async ({ index, record, current, problems: own, conflict }) => {
    const found = await findConflicts(work.read, resource, company, record, current?.id)
    report(index, [...own, ...found.filter(problem => !isConflict(problem))])
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

/** The existing records of the items by a unique field. Reports a problem for each item with the same record, or the same key, as an earlier one. */
async function currentsOf (turns: Turns, resource: Resource, company: number, items: Input[], field: string): Promise<Array<Current | undefined>> {
  const found = await Promise.all(items.map(async ({ values }) => values[field] == null ? undefined : await findByKey(turns, resource, company, field, { ...resource.defaults, ...values })))
  const seen = new Set<unknown>()
  for (const [index, { values, problems }] of items.entries()) {
    if (values[field] == null) continue
    const key = found[index]?.id ?? JSON.stringify(keyOf(resource, field, { ...resource.defaults, ...values }))
    if (seen.has(key)) problems.push({ field, key: 'unique' })
    seen.add(key)
  }
  return found
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
