import { type Run, type UnitOfWork, workOf, type Work } from '../../database/turns/unit-of-work.ts'
import { httpError, isHttpError, type Say } from '../../http/errors.ts'
import type { Resource } from '../declaration/resource.ts'
import type { Reader } from '../declaration/scope.ts'
import type { ChangeFeed } from '../feed/feed.ts'
import { createRecord } from '../writing/create.ts'
import type { Home, May } from '../writing/input.ts'
import { removeRecord } from '../writing/remove.ts'
import { isSeenByWrite } from '../writing/raised.ts'
import { SetSize } from '../writing/set-size.ts'
import { changeRecord, findCurrent } from '../writing/update.ts'
import { acknowledgeResults, openDevice, settledResult, storeResults, type Created } from './devices.ts'
import { isAcknowledgement, refuseMutations } from './unwritten.ts'
import { createInput, idAndVersion, recordOf, updateOf, type Context, type DeviceCaller } from './inputs.ts'
import { neededFor, prepareMutations, refsOf, type Prepared } from './prepare.ts'
import { resultOfError, type Result } from './results.ts'
import type { Mutation, MutationAnswer, MutationRequest } from './schemas.ts'
import { maxSet, runTogether } from './sets.ts'

/** The tenant of a request: its company, the caller, and transactions there. */
interface MutationTenant extends Home {
  user: number
  /** What the caller may do, as authenticated. */
  may: May
  /** Reads rows. Without a revision, only the primary answers. */
  read: (...query: [...Parameters<Reader>, at: null]) => ReturnType<Reader>
  /** Runs one statement on a connection for slow reads. */
  readAlone: Run
  /** Runs a unit of work, with what the caller may do then. */
  unit: <T>(work: (unit: UnitOfWork, present: { may: May }) => Promise<T>) => Promise<T>
}

/**
 * Runs the mutations of a device, each once.
 * @param caller as `callerOf` names it
 * @throws as {@link openDevice}, and for a cursor that cannot be continued
 */
export async function mutate (
  tenant: MutationTenant, feed: ChangeFeed, resources: readonly Resource[],
  { cursor, ...request }: MutationRequest, say: Say, caller: string
): Promise<MutationAnswer> {
  const { company, user, may } = tenant
  const position = cursor === undefined ? undefined : feed.cursorOf({ cursor }, company)
  const read: Reader = async (query, values) => await tenant.read(query, values, null)
  if (!mayRunAny(request.mutations, resources, may) && !await isAcknowledgement(read, user, request)) {
    const next = position && await feed.continued(async statement => await tenant.readAlone(statement), position)
    const results = await refuseMutations(read, { user, say }, request)
    return { results, ...next && { cursor: await next() } }
  }
  const prepared = await prepareMutations(resources, tenant, request.mutations, caller)
  return await tenant.unit(async (unit, { may }) => {
    const next = position && await feed.continued(unit.run, position)
    const results = await runMutations(unit, workOf(unit.run, caller), prepared, { user, company, may, say }, request)
    return { results, ...next && { cursor: await next() } }
  })
}

function mayRunAny (mutations: readonly Mutation[], resources: readonly Resource[], may: May): boolean {
  return mutations.some((mutation) => {
    const resource = resources.find(({ name }) => name === mutation.resource)
    return resource !== undefined && may(neededFor(mutation, resource))
  })
}

/**
 * Runs mutations in order, each once: a repeated one gets its stored result. A refused one writes nothing and does not stop the others.
 * @param all mutations, validated before the transaction
 * @throws as {@link openDevice}; faults, after which nothing is written and nothing stored
 */
async function runMutations (
  unit: UnitOfWork, work: Work, all: readonly Prepared[], caller: DeviceCaller,
  { device, acknowledged = 0, mutations }: MutationRequest
): Promise<Result[]> {
  const { company, say } = caller
  const { run } = work
  if (mutations.length === 0) {
    await acknowledgeResults(run, caller, device, acknowledged)
    return []
  }
  const known = await openDevice(run, caller, device, acknowledged, mutations.map(({ id }) => id), mutations.flatMap(refsOf))
  const settled = all.map(({ digest, mutation }) => settledResult(known, mutation, digest, say))
  const fresh = all.filter((_, place) => settled[place] === undefined)
  const results: Result[] = []
  const created = new Map<string, Created>()
  const context = { ...caller, work, refs: known.refs }
  // Most requests have one mutation, which needs no sets.
  const size = fresh.length > 1 ? new SetSize(maxSet) : undefined
  while (results.length < fresh.length) {
    const some = fresh.slice(results.length, results.length + (size?.next ?? 1))
    const [first] = some
    const { results: found, tried } = some.length > 1 ? await runTogether(context, some) : { results: [], tried: 1 }
    if (found.length === 0 && tried > 1) {
      size?.failed(tried)
      continue
    }
    let isKnown = true
    if (found.length === 0) {
      found.push(await runOne(context, first).catch((error) => {
        isKnown = !isSeenByWrite(error)
        return resultOfError(first.mutation.id, error, say)
      }))
    }
    if (some.length === 1 && found[0].status >= 400) size?.refused(isKnown)
    else size?.settled(found.length)
    for (const [place, result] of found.entries()) {
      const { resource, mutation: { ref } } = some[place]
      if (ref === undefined || result.status !== 201 || result.record === undefined) continue
      const record = { resource: resource.name, id: result.record.id }
      known.refs.set(ref, record)
      created.set(ref, record)
    }
    results.push(...found)
  }
  storeResults(unit, company, device, fresh.map(({ digest }, place) => ({ digest, result: results[place] })), created)
  let next = 0
  return settled.map(stored => stored ?? results[next++])
}

/** Runs one mutation. @throws its refusal */
async function runOne (context: Context, prepared: Prepared): Promise<Result> {
  const { work, company } = context
  const { resource, mutation } = prepared
  const { id } = mutation
  if (!context.may(neededFor(mutation, resource))) throw httpError(403)
  switch (prepared.op) {
    case 'create': return {
      id, status: 201, record: idAndVersion(await createRecord(work, resource, company, await createInput(context, prepared)))
    }
    case 'update': {
      const { current, input } = await updateOf(context, prepared, await findCurrent(work, resource, company, recordOf(context, prepared)))
      const changed = await changeRecord(work, resource, company, current, input)
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
    const removed = await removeRecord(
      context.work, resource, context.company, String(id), current => version === undefined || current.version === version
    )
    if (removed.isOvertaken) throw httpError(409)
  } catch (error) {
    if (!isHttpError(error) || error.statusCode !== 404) throw error
  }
}
