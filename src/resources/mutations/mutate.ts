import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { unitTurns } from '../../database/turns/unit-turns.ts'
import type { Work } from '../writing/in-order.ts'
import type { Say } from '../../http/error-list.ts'
import { httpError, isHttpError, refuse } from '../../http/errors.ts'
import { recordId } from '../declaration/conditions.ts'
import type { CompanyResource } from '../declaration/define.ts'
import type { Values } from '../declaration/resource.ts'
import { createRecord } from '../writing/create.ts'
import { changeRecord, findCurrent, permit, removeRecord, type Current, type May } from '../writing/update.ts'
import { openDevice, storeResults, type Created, type StoredResult } from './devices.ts'
import { refsOf, resolved, withRecords } from './refs.ts'
import { FieldConflict, resultOfError, type Conflict, type Result } from './results.ts'
import type { Prepared, PreparedBody } from './prepare.ts'
import type { MutationRequest } from './schemas.ts'
import { neededFor, settledResult } from './settled.ts'

/** The caller of a request with mutations. */
export interface Sender {
  user: number
  company: number
  may: May
  /** Translates the messages of results. */
  say: Say
}

/** The context of a mutation. `refs` are the records that the device has created. */
interface Context extends Sender {
  work: Work
  resource: CompanyResource
  refs: ReadonlyMap<string, Created>
}

/**
 * Runs mutations in order, each once: a repeated one gets its stored result. A refused one writes nothing and does not stop the others.
 * @param all mutations, validated before the transaction
 * @throws as {@link openDevice}; faults, after which nothing is written and nothing stored
 */
export async function runMutations ({ run }: UnitOfWork, all: readonly Prepared[], sender: Sender, { device, acknowledged = 0, mutations }: MutationRequest): Promise<Result[]> {
  const { company, say } = sender
  const work = { run, ...unitTurns(run) }
  const known = await openDevice(run, sender, device, acknowledged, mutations.map(({ id }) => id), mutations.flatMap(refsOf))
  const fresh: StoredResult[] = []
  const created = new Map<string, Created>()
  const results: Result[] = []
  for (const prepared of all) {
    const { resource, digest, mutation: { id, ref } } = prepared
    const settled = settledResult(known, prepared.mutation, digest, say)
    if (settled !== undefined) {
      results.push(settled)
    } else {
      const result = await runOne({ ...sender, work, resource, refs: known.refs }, prepared).catch(error => resultOfError(id, error, say))
      if (ref !== undefined && result.status === 201) {
        const record = { resource: resource.name, id: result.record?.id as number }
        known.refs.set(ref, record)
        created.set(ref, record)
      }
      fresh.push({ digest, result })
      results.push(result)
    }
  }
  await storeResults(run, company, device, fresh, created)
  return results
}

/** Runs one mutation. @throws its refusal */
async function runOne (context: Context, mutation: Prepared): Promise<Result> {
  const { id, op } = mutation.mutation
  if (!context.may(neededFor(mutation.mutation))) throw httpError(403)
  switch (op) {
    case 'create': return { id, status: 201, record: idAndVersion(await create(context, mutation)) }
    case 'update': return { id, status: 200, record: idAndVersion(await update(context, mutation)) }
    case 'delete': {
      await remove(context, mutation)
      return { id, status: 204 }
    }
  }
}

async function create ({ work, resource, company, may, refs }: Context, { body, mutation: { ref } }: Prepared): Promise<Values> {
  const input = withRecords(body as PreparedBody, refs)
  if (ref !== undefined && refs.has(ref)) input.problems.push({ field: 'ref', key: 'unique' })
  permit(resource, input, undefined, may)
  return await createRecord(work, resource, company, input)
}

async function update ({ work, resource, company, may, refs }: Context, { body, base, mutation: { record } }: Prepared): Promise<Values> {
  const id = recordId(resolved(record, resource.name, refs))
  const [input, known] = [withRecords(body as PreparedBody, refs), withRecords(base as PreparedBody, refs)]
  const current = await findCurrent(work, resource, company, 'id', id)
  permit(resource, input, current, may)
  if (current === undefined) throw httpError(404)
  refuse(known.problems.map(problem => ({ ...problem, field: `base.${problem.field}` })))
  await refuseConflicts(work, resource, company, current, known.values, input.values)
  const changed = await changeRecord(work, resource, company, current, input)
  if (changed.isOvertaken) throw httpError(409)
  return changed.result
}

/** Deletes a record. One that does not exist counts as deleted. */
async function remove ({ work, resource, company, refs }: Context, { mutation: { record, version } }: Prepared): Promise<void> {
  const id = recordId(resolved(record, resource.name, refs))
  try {
    const removed = await removeRecord(work, resource, company, String(id), current => version === undefined || current.version === version)
    if (removed.isOvertaken) throw httpError(409)
  } catch (error) {
    if (!isHttpError(error) || error.statusCode !== 404) throw error
  }
}

/** Each edited field must still have the value that the device knew, or already have the new one. @throws {FieldConflict} */
async function refuseConflicts (work: Work, resource: CompanyResource, company: number, current: Current, base: Values, yours: Values): Promise<void> {
  const fields: Record<string, Conflict> = {}
  for (const field of Object.keys(yours).filter(field => base[field] !== undefined)) {
    const [known, wanted] = [await comparable(work, resource, company, field, base[field]), await comparable(work, resource, company, field, yours[field])]
    if (current[field] !== known && current[field] !== wanted) fields[field] = { base: known, current: current[field], yours: wanted }
  }
  if (Object.keys(fields).length > 0) throw new FieldConflict(idAndVersion(current), fields)
}

/** The value of a field, or the id of the record that it names. */
async function comparable (work: Work, { references }: CompanyResource, company: number, field: string, value: unknown): Promise<unknown> {
  const reference = references[field]
  if (reference?.byName === undefined || typeof value !== 'string') return value
  const [row] = await work.run({ text: `select id from ${keyedRow(reference.byName, { table: reference.resource, company: '$1', value: '$2' })} t`, values: [company, value] })
  return row?.['id'] ?? value
}

function idAndVersion ({ id, version }: Values): { id: number, version: number } {
  return { id: id as number, version: version as number }
}
