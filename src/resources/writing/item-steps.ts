import type { Work } from '../../database/turns/unit-of-work.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Input } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { newRecord } from './create.ts'
import { type Step, inParts } from './in-order.ts'
import { ownExternalIds, withIds, withoutOwn } from './input.ts'
import type { Upsert } from './items.ts'
import { keyOf, keyParameters } from './unique.ts'
import { changedRecord, findByKey, type Current } from './update.ts'

/** An item and its write. */
export interface ItemStep extends Step {
  input: Input
  /** Problems of the item itself. `conflict` is one with the current state of its record. */
  problems: Problem[]
  conflict: ProblemKey | undefined
  /** The record of an upsert, by its id or its key. Undefined if a part of the key is not valid. */
  key?: string | undefined
  /** The problem of an item that the caller may not write. Only in a partial bulk. */
  forbidden?: Problem
}

/** The writes of items. */
export async function stepsOf (work: Work, resource: Resource, company: number, items: Input[], upsert: Upsert): Promise<ItemStep[]> {
  const { pause, read } = work
  const afterNew = laterItems(resource, items, [])
  const known = await inParts(pause, items, async (item, index) =>
    await withIds(read, resource, company, afterNew[index] === undefined ? item : withoutOwn(resource, item, item)))
  const currents = upsert === undefined ? [] : await currentsOf(work, resource, company, known, upsert)
  const later = laterItems(resource, items, currents)
  const resolved = await inParts(pause, items, async (item, index) =>
    afterNew[index] !== undefined && later[index] === undefined ? await withIds(read, resource, company, item) : known[index])
  return await inParts(pause, resolved, (found, index) => {
    const current = currents[index]
    const complete = (input: Input) => current === undefined ? withMissing(input, items[index]) : input
    const input = complete(later[index] === undefined ? found : withoutOwn(resource, found, later[index].input))
    const written = current === undefined ? { ...newRecord(resource, input), conflict: undefined } : changedRecord(resource, current, input)
    const key = upsert === undefined ? undefined : recordKey(resource, upsert, found, current)
    const awaited = later[index] && { ...later[index], input: complete(later[index].input) }
    return { index, input: awaited?.input ?? input, current, later: awaited, key, ...written }
  })
}

/** The input of a new record, with the problems of the item that a new record has. */
function withMissing (input: Input, { ifNew = [] }: Input): Input {
  return { values: input.values, problems: [...ifNew, ...input.problems] }
}

/** The items that refer, by `external_id`, to records whose id earlier items give or take away. */
function laterItems (resource: Resource, items: Input[], currents: Array<Current | undefined>): Array<ItemStep['later']> {
  const changed = new Set<unknown>()
  return items.map((input, index) => {
    const refersTo = ownExternalIds(resource, input)
    const isLater = refersTo.some(id => changed.has(id))
    const { external_id: given } = input.values
    const before = currents[index]?.['external_id']
    if (given !== undefined && given !== before) changed.add(given).add(before)
    return isLater ? { input, refersTo } : undefined
  })
}

/** Gives a step its problem if an earlier one has its record, and adds this record. @param seen records of earlier items */
export function noteTwin (step: ItemStep, seen: Set<string>, upsert: Upsert): void {
  if (upsert === undefined || step.key === undefined) return
  if (seen.has(step.key)) step.twin = { field: upsert, key: 'unique' }
  seen.add(step.key)
}

/** The existing records of the items by a unique field. */
async function currentsOf (
  work: Work, resource: Resource, company: number, items: Input[], field: string
): Promise<Array<Current | undefined>> {
  return await inParts(work.pause, items, async input => isKeyed(resource, field, input)
    ? await findByKey(work, resource, company, field, { ...resource.defaults, ...input.values })
    : undefined)
}

/** Whether the key of an item is valid. */
function isKeyed (resource: Resource, field: string, { values, problems }: Input): boolean {
  const parts = keyParameters(resource, field).map(part => part.field)
  return values[field] != null && !problems.some(problem => parts.includes(problem.field.split('.', 1)[0]))
}

function recordKey (resource: Resource, field: string, input: Input, current: Current | undefined): string | undefined {
  if (current !== undefined) return String(current.id)
  return isKeyed(resource, field, input) ? JSON.stringify(keyOf(resource, field, { ...resource.defaults, ...input.values })) : undefined
}
