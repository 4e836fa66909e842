import type { Work } from '../../database/turns/unit-of-work.ts'
import type { Row } from '../../database/connection/sql.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { httpError, refuse, type Say } from '../../http/errors.ts'
import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import { recordId } from '../validation/convert.ts'
import { permit, withIds, type May } from '../writing/input.ts'
import type { Current } from '../writing/update.ts'
import type { Created } from './devices.ts'
import { isRef, type Prepared, type PreparedBody, type PreparedCreate, type PreparedUpdate } from './prepare.ts'
import { DependencyFailed, FieldConflict, type Conflict } from './results.ts'

/** The caller of a request with mutations. */
export interface DeviceCaller {
  user: number
  company: number
  may: May
  /** Translates the messages of results. */
  say: Say
}

/** The context of mutations. `refs` are the records that the device has created. */
export interface Context extends DeviceCaller {
  work: Work
  refs: ReadonlyMap<string, Created>
}

/** The input of a `create`. @throws its refusal before the write */
export async function createInput (
  { work, company, may, refs }: Context, { resource, body, mutation: { ref } }: PreparedCreate
): Promise<Input> {
  const input = await withIds(work.read, resource, company, withRecords(body, refs))
  if (ref !== undefined && refs.has(ref)) input.problems.push({ field: 'ref', key: 'unique' })
  permit(resource, input, undefined, may)
  return input
}

/** The id of the record of an `update` or `delete`. @throws {DependencyFailed} */
export function recordOf ({ refs }: Context, { resource, mutation: { record } }: Prepared): number {
  return recordId(resolved(record, resource.name, refs))
}

/**
 * A value, or the id of the record that its ref names.
 * @throws {DependencyFailed} if the device has created no such record of the resource
 */
function resolved (value: unknown, resource: string, refs: ReadonlyMap<string, Created>): unknown {
  if (!isRef(value)) return value
  const created = refs.get(value.ref)
  if (created === undefined || created.resource !== resource) throw new DependencyFailed()
  return created.id
}

/** An input with ids instead of refs. @throws {DependencyFailed} */
function withRecords ({ input: { values, problems }, refs: byField }: PreparedBody, refs: ReadonlyMap<string, Created>): Input {
  const ids = Object.fromEntries(Object.entries(byField).map(([field, { value, resource }]) => [field, resolved(value, resource, refs)]))
  // A field that this operation does not accept has no value.
  return {
    values: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, ids[field] ?? value])), problems: [...problems]
  }
}

/** An `update` that nothing has refused before the write. */
interface Update {
  current: Current
  input: Input
}

/** The update of a record. @param current the record, or undefined if it does not exist @throws its refusal before the write */
export async function updateOf (
  { work, company, may, refs }: Context, { resource, body, base }: PreparedUpdate, current: Current | undefined
): Promise<Update> {
  const [given, seen] = [withRecords(body, refs), withRecords(base, refs)]
  const [input, known] = await Promise.all([withIds(work.read, resource, company, given), withIds(work.read, resource, company, seen)])
  permit(resource, input, current, may)
  if (current === undefined) throw httpError(404)
  refuse(known.problems.map(problem => ({ ...problem, field: `base.${problem.field}` })))
  await refuseConflicts(work, resource, company, current, known.values, input.values)
  return { current, input }
}

/** Each edited field must still have the value that the device knew, or already have the new one. @throws {FieldConflict} */
async function refuseConflicts (
  work: Work, resource: Resource, company: number, current: Current, base: Values, yours: Values
): Promise<void> {
  const fields: Record<string, Conflict> = {}
  for (const field of Object.keys(yours).filter(field => base[field] !== undefined)) {
    const [known, wanted] = [
      await comparable(work, resource, company, field, base[field]),
      await comparable(work, resource, company, field, yours[field])
    ]
    if (current[field] !== known && current[field] !== wanted) fields[field] = { base: known, current: current[field], yours: wanted }
  }
  if (Object.keys(fields).length > 0) throw new FieldConflict(idAndVersion(current), fields)
}

/** The value of a field, or the id of the record that it names. */
async function comparable (work: Work, { references }: Resource, company: number, field: string, value: unknown): Promise<unknown> {
  const reference = references[field]
  if (reference?.byName === undefined || typeof value !== 'string') return value
  const [row] = await work.run({
    text: `select id from ${keyedRow(reference.byName, { table: reference.resource, company: '$1', value: '$2' })} t`,
    values: [company, value]
  })
  return row?.['id'] ?? value
}

/** What a result shows of a record. */
export function idAndVersion ({ id, version }: Row): { id: number, version: number } {
  return { id, version }
}
