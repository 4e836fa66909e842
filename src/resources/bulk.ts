import type { Row } from '../database/sql.ts'
import type { Turns } from '../database/turns.ts'
import { ApiError, refuse, ValidationError, type Problem } from '../errors.ts'
import { createRecord } from './create.ts'
import type { Input } from './input.ts'
import { readRecord } from './record.ts'
import type { Resource } from './resource.ts'
import { asCompany, type Work } from './transaction.ts'
import { changeRecord, findCurrent, permit, type Current, type May } from './update.ts'

/** What is done with items whose record is there already: without it they are in the way. */
export type Upsert = 'external_id' | undefined

/**
 * Creates a record an item, all of them together; with `upsert`, items whose `external_id` a record has change that record.
 * @returns the whole records, in the order of the items
 * @throws {ApiError} 403; {@link ValidationError} with everything that is wrong with any of them, by index; else 409, with the items that conflict
 */
export async function writeItems (work: Work, resource: Resource, company: number, items: Input[], upsert: Upsert, may: May): Promise<Row[]> {
  const problems: Problem[] = []
  const conflicts = new Map<number, ApiError>()
  const attempt = async <T>(index: number, write: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await write()
    } catch (error) {
      if (error instanceof ValidationError) problems.push(...error.problems.map(problem => ({ ...problem, field: itemField(index, problem.field) })))
      else if (error instanceof ApiError && error.statusCode === 409) conflicts.set(index, error)
      else throw error
      return undefined
    }
  }

  if (upsert !== undefined) refuseRepeated(items, upsert)
  const current = upsert === undefined ? new Map<unknown, Current>() : await currentByExternalId(work, resource, company, items)
  const pairs = items.map(item => ({ item, record: current.get(item.values['external_id']) }))
  for (const { item, record } of pairs) {
    if (record !== undefined) permit(resource, item, record, may)
  }

  const written = pairs.map(async ({ item, record }, index) => await attempt(index, async () => {
    if (record === undefined) return (await createRecord(work, resource, company, item, 'id'))['id'] as number
    if (await changeRecord(work, resource, company, record, item, 'nothing') === undefined) throw new ApiError(409, 'conflict', 'conflict')
    return record.id
  }))
  // Until none is under way any more: what fails must not leave others asking in a transaction that has ended.
  await Promise.allSettled(written)
  refuse(inOrder(problems))
  refuseConflicts(conflicts)
  const ids = await Promise.all(written)
  return await Promise.all(ids.map(async id => await readRecord(asCompany(work.read, company), resource, id as number)))
}

/** Where a problem of an item is reported. */
export function itemField (index: number, field: string): string {
  return field === '' ? `items.${index}` : `items.${index}.${field}`
}

/** Of items that would change the same record the first is taken, and the others told. */
function refuseRepeated (items: Input[], field: string): void {
  const seen = new Set()
  for (const { values, problems } of items) {
    if (values[field] != null && seen.has(values[field])) problems.push({ field, key: 'unique' })
    seen.add(values[field])
  }
}

/** The 409 that a single record would get, of the first item, with those of all under `errors`. */
function refuseConflicts (conflicts: Map<number, ApiError>): void {
  const byIndex = [...conflicts].sort(([a], [b]) => a - b)
  const first = byIndex[0]?.[1]
  if (first === undefined) return
  throw new ApiError(409, first.code, first.key, {
    extra: say => ({ errors: Object.fromEntries(byIndex.map(([index, { key }]) => [itemField(index, ''), [say(key)]])) })
  })
}

async function currentByExternalId (turns: Turns, resource: Resource, company: number, items: Input[]): Promise<Map<unknown, Current>> {
  const wanted = items.map(({ values }) => values['external_id']).filter(value => value != null)
  const found = await Promise.all(wanted.map(async value => await findCurrent(turns, resource, company, 'external_id', value)))
  return new Map(found.filter(record => record !== undefined).map(record => [record['external_id'], record]))
}

function inOrder (problems: Problem[]): Problem[] {
  const index = ({ field }: Problem) => Number(field.split('.')[1])
  return problems.sort((a, b) => index(a) - index(b))
}
