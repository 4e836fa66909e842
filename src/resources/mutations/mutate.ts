import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { unitTurns } from '../../database/turns/unit-turns.ts'
import { httpError, isHttpError } from '../../http/errors.ts'
import { createRecord } from '../writing/create.ts'
import { changeRecord, findCurrent, removeRecord, type Current } from '../writing/update.ts'
import { openDevice, storeResults, type Created } from './devices.ts'
import { createInput, idAndVersion, recordOf, updateInput, type Context, type Sender } from './inputs.ts'
import { refsOf } from './refs.ts'
import { resultOfError, type Result } from './results.ts'
import type { Prepared } from './prepare.ts'
import type { MutationRequest } from './schemas.ts'
import { maxSet, writeTogether } from './sets.ts'
import { neededFor, settledResult } from './settled.ts'

/**
 * Runs mutations in order, each once: a repeated one gets its stored result. A refused one writes nothing and does not stop the others.
 * @param all mutations, validated before the transaction
 * @throws as {@link openDevice}; faults, after which nothing is written and nothing stored
 */
export async function runMutations (unit: UnitOfWork, all: readonly Prepared[], sender: Sender, { device, acknowledged = 0, mutations }: MutationRequest): Promise<Result[]> {
  const { company, say } = sender
  const { run } = unit
  const work = { run, ...unitTurns(run) }
  const known = await openDevice(run, sender, device, acknowledged, mutations.map(({ id }) => id), mutations.flatMap(refsOf))
  const results = new Map<number, Result>()
  for (const { digest, mutation } of all) {
    const settled = settledResult(known, mutation, digest, say)
    if (settled !== undefined) results.set(mutation.id, settled)
  }
  const fresh = all.filter(({ mutation }) => !results.has(mutation.id))
  const created = new Map<string, Created>()
  const context = { ...sender, work, refs: known.refs }
  let size: number = maxSet
  for (let next = 0; next < fresh.length;) {
    const some = fresh.slice(next, next + size)
    const [first] = some as [Prepared]
    const { written, tried } = some.length > 1 ? await writeTogether(context, some) : { written: [], tried: 1 }
    if (written.length === 0 && tried > 1) {
      // The set is not valid. Halving it finds the mutation that is refused.
      size = Math.ceil(tried / 2)
      continue
    }
    size = Math.min(2 * size, maxSet)
    if (written.length === 0) written.push(await runOne(context, first).catch(error => resultOfError(first.mutation.id, error, say)))
    for (const [place, result] of written.entries()) {
      const { resource, mutation: { ref } } = some[place] as Prepared
      results.set(result.id, result)
      if (ref === undefined || result.status !== 201) continue
      const record = { resource: resource.name, id: result.record?.id as number }
      known.refs.set(ref, record)
      created.set(ref, record)
    }
    next += written.length
  }
  storeResults(unit, company, device, fresh.map(({ digest, mutation: { id } }) => ({ digest, result: results.get(id) as Result })), created)
  return all.map(({ mutation: { id } }) => results.get(id) as Result)
}

/** Runs one mutation. @throws its refusal */
async function runOne (context: Context, prepared: Prepared): Promise<Result> {
  const { work, company } = context
  const { resource, mutation } = prepared
  const { id, op } = mutation
  if (!context.may(neededFor(mutation))) throw httpError(403)
  switch (op) {
    case 'create': return { id, status: 201, record: idAndVersion(await createRecord(work, resource, company, await createInput(context, prepared))) }
    case 'update': {
      const current = await findCurrent(work, resource, company, recordOf(context, prepared))
      const input = await updateInput(context, prepared, current)
      const changed = await changeRecord(work, resource, company, current as Current, input)
      if (changed.isOvertaken) throw httpError(409)
      return { id, status: 200, record: idAndVersion(changed.result) }
    }
    case 'delete': {
      await remove(context, prepared)
      return { id, status: 204 }
    }
  }
}

/** Deletes a record. One that does not exist counts as deleted. */
async function remove (context: Context, prepared: Prepared): Promise<void> {
  const { resource, mutation: { version } } = prepared
  const id = recordOf(context, prepared)
  try {
    const removed = await removeRecord(context.work, resource, context.company, String(id), current => version === undefined || current.version === version)
    if (removed.isOvertaken) throw httpError(409)
  } catch (error) {
    if (!isHttpError(error) || error.statusCode !== 404) throw error
  }
}
