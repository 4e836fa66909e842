import { withIds } from './input.ts'
import { keyOf, uniqueNames } from './unique.ts'
import { isDataError } from '../../database/connection/sql-errors.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Pause } from '../../http/slices.ts'
import { drawIds, insertion, newRecord } from './create.ts'
import { findConflicts } from './conflicts.ts'
import { isRaised } from './raised.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { answerAll, inSavepoint, type Run, type Work } from '../../database/turns/unit-of-work.ts'
import { changedRecord, modification, type Current } from './update.ts'

/** Items that are worked on in one go, for a few milliseconds. */
const partSize = 500

/**
 * Works on many items. Other requests run after each part of {@link partSize} items, unless one part has all. The items of a part share
 * their statements. The caller can hold locks, so few items never wait for others.
 * @returns the results in the order of the items
 */
export async function inParts<Item, Result> (
  pause: Pause, items: readonly Item[], work: (item: Item, index: number) => Result | Promise<Result>
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += partSize) {
    const part = items.slice(start, start + partSize)
    results.push(...await Promise.all(part.map((item, place) => work(item, start + place))))
    if (items.length > partSize) await pause()
  }
  return results
}

/** One of several writes: a new record or a change. */
export interface Step {
  /** Position among all writes, from 0. */
  index: number
  record: Values
  current: Current | undefined
  /** The input of a step that refers, by `external_id`, to records that earlier steps create. Its record is known after these. */
  later?: { input: Input, refersTo: string[] } | undefined
  /** Problems of the record by itself. */
  problems?: Problem[]
  /** Why the record cannot change in its present state. */
  conflict?: ProblemKey | undefined
  /** The problem that an earlier item of the upsert is for the same record. */
  twin?: Problem
}

/** Whether a step is valid by itself. */
export function isSound ({ problems = [], conflict, twin }: Step): boolean {
  return problems.length === 0 && conflict === undefined && twin === undefined
}

/** The steps that are not in a set, in order. */
export function without<S extends Step> (steps: S[], set: S[]): S[] {
  const isTaken = new Set(set)
  return steps.filter(step => !isTaken.has(step))
}

/** Steps that {@link independent} looks at in one go, for about a millisecond. */
const stepsAtOnce = 250

/**
 * The first steps that can be written together: none depends on the decision of another, refers to it, or takes a unique value that another
 * gives up. A step that refers to an earlier one waits for the next set, with later steps that have the same unique values. Other steps
 * can be written before it, unless they decide something.
 */
export async function independent<S extends Step> (pause: Pause, resource: Resource, steps: S[]): Promise<S[]> {
  const set: S[] = []
  const decided = new Set<unknown>()
  const named = new Set<unknown>()
  const free = new Set<string>()
  const awaited = new Set<string>()
  for (const [place, step] of steps.entries()) {
    if (place > 0 && place % stepsAtOnce === 0) await pause()
    const { record, current, later } = step
    const taken = uniqueValues(resource, record)
    const given = current === undefined ? [] : uniqueValues(resource, current)
    if (taken.some(value => free.has(value))) break
    const isWaiting = later?.refersTo.some(id => named.has(id)) === true || [...taken, ...given].some(value => awaited.has(value))
    const order = resource.order?.(record, current)
    if (order !== undefined && (decided.has(order.group) || (order.decides && (isWaiting || awaited.size > 0)))) break
    if (order?.decides === true) decided.add(order.group)
    if (current === undefined || current['external_id'] !== record['external_id']) {
      named.add(record['external_id']).add(current?.['external_id'])
    }
    for (const value of given) if (!taken.includes(value)) free.add(value)
    if (!isWaiting) set.push(step)
    else for (const value of [...taken, ...given, ...uniqueReferences(later)]) awaited.add(value)
  }
  return set
}

/** The values of a record that only one record can have, as texts. */
function uniqueValues (resource: Resource, values: Values): string[] {
  const fields = uniqueNames(resource).filter(field => values[field] != null)
  return fields.map(field => uniqueValue(field, keyOf(resource, field, values)))
}

function uniqueReferences (later: Step['later']): string[] {
  return (later?.refersTo ?? []).map(id => uniqueValue('external_id', [id]))
}

function uniqueValue (field: string, key: unknown[]): string {
  return `${field} ${JSON.stringify(key)}`
}

/** The id of a new record whose write is rolled back. */
export function provisionalId (index: number): number {
  return -1 - index
}

/** Ids for new records in the order of their steps, by index. */
export async function freshIds (run: Run, resource: Resource, steps: Step[]): Promise<Map<number, number>> {
  const indexes = steps.filter(({ current }) => current === undefined).map(({ index }) => index).sort((a, b) => a - b)
  const ids = await drawIds(run, resource, indexes.length)
  return new Map(indexes.map((index, place) => [index, ids[place]]))
}

/** Why no step of a set is written: a step is not valid, or the database refused all by an error of a constraint or a trigger. */
export type Failure = 'skipped' | 'error'

/**
 * Writes all steps of a set or none. Inserts come last, so that a refused set uses no id. New records must also be valid without the set's
 * changes.
 * @param idOf the id of the new record of a step by index. By default it comes from the sequence.
 * @returns ids of the records by index of the step, or why none is written
 */
export async function writeSet (
  work: Work, resource: Resource, company: number, steps: Step[], idOf?: (index: number) => number | undefined
): Promise<Map<number, number> | Failure> {
  const set = await inParts(work.pause, steps, async step => await resolved(work, resource, company, step))
  return set.every(isSound) ? await writeKnown(work, resource, company, set, idOf) : 'skipped'
}

/** A step that refers to records of earlier steps by id, with its problems. */
export async function resolved<S extends Step> (work: Work, resource: Resource, company: number, step: S): Promise<S> {
  if (step.later === undefined) return step
  const input = await withIds(work.read, resource, company, step.later.input)
  const { current } = step
  const written = current === undefined ? { ...newRecord(resource, input), conflict: undefined } : changedRecord(resource, current, input)
  return { ...step, later: undefined, ...written }
}

async function writeKnown (
  work: Work, resource: Resource, company: number, set: Step[], idOf?: (index: number) => number | undefined
): Promise<Map<number, number> | Failure> {
  const changes = set.flatMap(({ index, record, current }) => current === undefined ? [] : [{ index, record, current }])
  const fresh = set.filter(({ current }) => current === undefined)
  if (changes.length > 0) {
    const found = await inParts(work.pause, fresh, async ({ record }) => await findConflicts(work.read, resource, company, record))
    // What only triggers check, they check for all steps together.
    if (!found.flat().every(problem => isRaised(resource, problem))) return 'skipped'
  }

  // All rows go in one statement, because triggers check them together.
  const modifications = await inParts(work.pause, changes, ({ record, current }) => modification(resource, company, current, record))
  const columns = idOf === undefined ? 'all' : 'given'
  const insertions = await inParts(work.pause, fresh, ({ index, record }) => insertion(resource, company, record, columns, idOf?.(index)))
  const write = async () => {
    const changed = await answerAll(work.run, modifications)
    if (changed.some(([row]) => row === undefined)) return 'skipped'
    const made = await answerAll(work.run, insertions)
    if (made.some(([row]) => row === undefined)) return 'skipped'
    return new Map([
      ...changes.map(({ index, current }) => [index, current.id] as const),
      ...fresh.map(({ index }, place) => [index, made[place][0]['id']] as const)
    ])
  }
  try {
    return await inSavepoint(work.run, async () => {
      const result = await write()
      return { result, isKept: result !== 'skipped' }
    })
  } catch (error) {
    // Constraints and triggers fail the whole set. Halving finds the step.
    if (isDataError(error)) return 'error'
    throw error
  }
}
