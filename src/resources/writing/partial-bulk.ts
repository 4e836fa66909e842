import { limits } from '../../config/limits.ts'
import type { Row } from '../../database/connection/sql.ts'
import { inSavepoint, type Work } from '../../database/turns/unit-of-work.ts'
import { isHttpError, ValidationError, type Problem } from '../../http/errors.ts'
import type { Input } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import type { Reader } from '../declaration/scope.ts'
import { readRecord } from '../reading/record.ts'
import { freshIds, independent, writeSet, inParts } from './in-order.ts'
import { stepsOf, type ItemStep } from './item-steps.ts'
import { permit, type May } from './input.ts'
import type { Upsert } from './items.ts'
import { rehearse, type Rehearsal } from './rehearsal.ts'

/** Maximum items that are refused only by their own write: as many as most bulks have items. The company is locked meanwhile. */
const mostTried = limits.work.refusedItemsOfPartial

/** The written record of an item, or the problems for which it was refused, by fields of the item. */
export type Outcome = { record: Row } | { problems: Problem[] }

/**
 * Writes the valid items. The result equals that of single requests in the order of the items, where a refused request does not stop
 * later ones. A refused item uses no id. With `upsert`, an item for the same record as an earlier written one is refused.
 * @returns an outcome per item, in the order of the items
 * @throws {ValidationError} if more than {@link mostTried} items are refused only alone
 */
export async function writeValidItems (
  work: Work, resource: Resource, company: number, items: Input[], upsert: Upsert, may: May
): Promise<Outcome[]> {
  const steps = await stepsOf(work, resource, company, items, upsert)
  for (const step of steps) refuseForbidden(resource, step, may)
  const { sets, refused } = await writeValid(work, resource, company, steps, upsert)
  const ids = new Map(steps.flatMap(({ index, current }) => current === undefined ? [] : [[index, current.id] as const]))
  for (const written of sets) for (const [index, id] of written) ids.set(index, id)
  const read: Reader = async (query, values) => await work.read({ query, company, values })
  return await inParts(work.pause, steps, async ({ index }) => {
    const problems = refused.get(index)
    if (problems !== undefined) return { problems }
    return { record: await readRecord(read, resource, ids.get(index) as number) } // an item without problems has an id
  })
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
async function writeValid (
  work: Work, resource: Resource, company: number, steps: ItemStep[], upsert: Upsert
): Promise<{ sets: Array<Map<number, number>>, refused: Rehearsal['refused'] }> {
  const isKept = ({ sets }: Rehearsal) => sets.flat().every(({ current }) => current !== undefined)
  const rehearsal = await inSavepoint(work.run, async () => {
    const result = await rehearse(work, resource, company, steps, { upsert, mostTried })
    if (result.hasMore) throw new ValidationError([{ field: 'items', key: 'tooManyRefused', values: { count: mostTried } }])
    return { result, isKept: isKept(result) }
  })
  const { sets, refused } = rehearsal
  if (isKept(rehearsal)) return { sets: [], refused }
  // Without the refused items, the others are often one set.
  const all = sets.flat()
  const isOneSet = (await independent(work.pause, resource, all)).length === all.length
  const atOnce = isOneSet ? await writeSet(work, resource, company, all) : 'skipped'
  if (typeof atOnce !== 'string') return { sets: [atOnce], refused }
  const written: Array<Map<number, number>> = []
  const fresh = await freshIds(work.run, resource, all)
  for (const set of sets) {
    const ids = await writeSet(work, resource, company, set, index => fresh.get(index))
    if (typeof ids === 'string') throw new Error('items that were valid cannot be written')
    written.push(ids)
  }
  return { sets: written, refused }
}
