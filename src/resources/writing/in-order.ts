import { withIds } from './input.ts'
import { keyOf } from './unique.ts'
import { isDataError } from '../../database/connection/sql-errors.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { insertion, newRecord } from './create.ts'
import { findConflicts } from './conflicts.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import type { Turns } from '../../database/turns/requests.ts'
import { answerAll, type Run, inSavepoint } from '../../database/turns/unit-of-work.ts'
import { changedRecord, modification, type Current } from './update.ts'

/** A unit of work with turns for many requests at the same time. */
export interface Work extends Turns {
  run: Run
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

/** The sets of steps that were written together, in order, and the first refused step. */
export interface Progress<S extends Step> {
  sets: S[][]
  refused: S | undefined
}

/**
 * Writes steps up to the first refused one, with the same result as single writes in order. A set takes one statement for changes and one
 * for new records. A set is valid only if its steps are valid one by one in order. A set that is not valid is halved. New records get
 * provisional ids.
 * @param size of the first set
 */
export async function writeInOrder<S extends Step> (work: Work, resource: Resource, company: number, steps: S[], size = steps.length): Promise<Progress<S>> {
  const sets: S[][] = []
  for (let next = 0; next < steps.length;) {
    const set = independent(resource, steps.slice(next, next + size))
    if (await writeSet(work, resource, company, set, 'provisional') !== undefined) {
      sets.push(set)
      next += set.length
      size *= 2
    } else if (set.length === 1) {
      return { sets, refused: set[0] }
    } else {
      size = Math.ceil(set.length / 2)
    }
  }
  return { sets, refused: undefined }
}

/**
 * The longest prefix of the steps in which no step depends on the decision of another, refers to it, or takes a unique value that another
 * gives up.
 */
export function independent<S extends Step> (resource: Resource, steps: S[]): S[] {
  const decided = new Set<unknown>()
  const written = new Set<unknown>()
  const free = new Set<string>()
  const uniques = [...resource.unique, ...Object.keys(resource.uniqueWithin)]
  const valueOf = (field: string, values: Values) => `${field} ${JSON.stringify(keyOf(resource, field, values))}`
  const end = steps.findIndex(({ record, current, later }) => {
    if (later?.refersTo.some(id => written.has(id)) === true) return true
    if (free.size > 0 && uniques.some(field => free.has(valueOf(field, record)))) return true
    written.add(record['external_id'])
    if (current !== undefined && current['external_id'] !== record['external_id']) written.add(current['external_id'])
    for (const field of uniques) if (current !== undefined && current[field] !== record[field]) free.add(valueOf(field, current))
    const order = resource.order?.(record, current)
    if (order === undefined) return false
    if (decided.has(order.group)) return true
    if (order.decides) decided.add(order.group)
    return false
  })
  return end === -1 ? steps : steps.slice(0, end)
}

/**
 * Writes all steps of a set or none. Inserts come last, so that a refused set uses no id. New records must also be valid without the set's
 * changes.
 * @param insert whether new records get ids from the sequence or provisional ones
 * @returns ids of the records by index of the step, or undefined if a step is not valid
 */
export async function writeSet (work: Work, resource: Resource, company: number, steps: Step[], insert: 'all' | 'provisional'): Promise<Map<number, number> | undefined> {
  const set = await Promise.all(steps.map(async step => await resolved(work, resource, company, step)))
  return set.every(isSound) ? await writeKnown(work, resource, company, set, insert) : undefined
}

/** A step that refers to records of earlier steps by id, with its problems. */
export async function resolved<S extends Step> (work: Work, resource: Resource, company: number, step: S): Promise<S> {
  if (step.later === undefined) return step
  const input = await withIds(work.read, resource, company, step.later.input)
  const { current } = step
  const written = current === undefined ? { ...newRecord(resource, input), conflict: undefined } : changedRecord(resource, current, input)
  return { ...step, later: undefined, ...written }
}

async function writeKnown (work: Work, resource: Resource, company: number, set: Step[], insert: 'all' | 'provisional'): Promise<Map<number, number> | undefined> {
  const changes = set.flatMap(({ index, record, current }) => current === undefined ? [] : [{ index, record, current }])
  const fresh = set.filter(({ current }) => current === undefined)
  if (changes.length > 0 && !(await Promise.all(fresh.map(async ({ record }) => await findConflicts(work.read, resource, company, record)))).every(found => found.length === 0)) return undefined

  const write = async () => {
    const changed = await answerAll(work.run, changes.map(({ record, current }) => modification(resource, company, current, record)))
    if (changed.some(([row]) => row === undefined)) return undefined
    const made = await answerAll(work.run, fresh.map(({ index, record }) => insertion(resource, company, record, insert, index)))
    if (made.some(([row]) => row === undefined)) return undefined
    return new Map([
      ...changes.map(({ index, current }) => [index, current.id] as const),
      ...fresh.map(({ index }, place) => [index, made[place][0]['id']] as const)
    ])
  }
  try {
    return await inSavepoint(work.run, async () => {
      const result = await write()
      return { result, isKept: result !== undefined }
    })
  } catch (error) {
    // Constraints and triggers fail the whole set. Halving finds the step.
    if (isDataError(error)) return undefined
    throw error
  }
}
