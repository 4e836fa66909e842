import { isOfProxy, ObraError, unwrapChecked } from '../errors.ts'
import { becomeNewDevice } from './device.ts'
import { Edits } from './edits.ts'
import { fulfilled } from './fulfilled.ts'
import { takeVersions } from './removals.ts'
import { isSameSelection, queryOf } from './selection.ts'
import { keepServerIds } from './server-ids.ts'
import { chooseAgain, emptyCopy, leaveLostTimeline, removeRecords, startAgain } from './timelines.ts'
import type { components } from '../api.d.ts'
import type { Copy, Scope } from './scope.ts'
import type { Values } from './edit.ts'
import type { Named } from './server-ids.ts'
import type { Exchange } from './exchange.ts'
import type { Selection } from './selection.ts'

type Page = components['schemas']['Changes']

/** Maximum new copies in one synchronization. */
const maxRestarts = 3

/** The active company is another one now. */
export class CompanyChanged extends Error {}

/** Receives changes until the records have the state of a revision. */
export async function pull (exchange: Exchange) {
  let restarts = 0
  for (;;) {
    const query = await exchange.write(async scope => await beginning(scope, exchange.selection))
    const { page, error } = await receive(exchange, query)
    if (page !== undefined) {
      const isExact = await exchange.write(async scope => await keepPage(scope, page))
      if (!page.has_more && isExact && !await exchange.write(async scope => await isChosenAgain(scope, exchange.selection))) return
      if (isExact) continue
    } else if (isLostCursor(error)) {
      await exchange.write(startAgain)
    } else {
      throw error
    }
    restarts += 1
    if (restarts > maxRestarts) throw new Error('The server asks for another copy of all records again and again.')
  }
}

async function receive (
  { client, request }: Exchange, query: Awaited<ReturnType<typeof beginning>>
): Promise<{ page: Page, error?: undefined } | { page?: undefined, error: unknown }> {
  const isRight = ({ changes, company, cursor }: Page) => (
    Array.isArray(changes) && Number.isInteger(company) && typeof cursor === 'string')
  try {
    return { page: await unwrapChecked(client.GET('/api/v1/changes/', { params: { query }, ...request() }), isRight) }
  } catch (error) {
    return { error }
  }
}

/** Whether the server cannot continue at a cursor, or does not know it. */
export function isLostCursor (error: unknown) {
  if (!(error instanceof ObraError) || isOfProxy(error)) return false
  return error.status === 410 || (error.status === 400 && Object.hasOwn(error.errors, 'cursor'))
}

/** The query of the next page. A device that has made edits gets its names of the records that it has created. */
async function beginning (scope: Scope, selection: Selection) {
  const state = await scope.state()
  const { copy, device, last } = state
  const query = await queryOf(scope, selection)
  let next = state.next ?? (copy === undefined ? emptyCopy(1) : undefined)
  if (next?.cursor !== undefined && !isSameSelection(query, next.selection)) {
    await removeRecords(scope, next.generation)
    next = emptyCopy(next.generation + 1)
  }
  const isFirst = next !== undefined && next.cursor === undefined
  if (next !== undefined && isFirst) next = { ...next, selection: query }
  if (next !== state.next) await scope.saveState({ ...state, next })
  const cursor = (next ?? copy)?.cursor
  return { ...isFirst ? query : { cursor }, ...last > 0 && { device } }
}

/**
 * Begins another copy if the app wants other records. The earlier copy is complete by now: the server has every edit that it accepts, and
 * has continued at the cursor of the copy.
 * @returns whether it has begun one
 */
async function isChosenAgain (scope: Scope, selection: Selection): Promise<boolean> {
  const { copy } = await scope.state()
  if (isSameSelection(await queryOf(scope, selection), copy?.selection)) return false
  await chooseAgain(scope)
  return true
}

/**
 * Keeps a page of the feed in one transaction with its cursor.
 * @returns whether the copy has as many records as the server
 * @throws {CompanyChanged} if the page is another company's
 */
async function keepPage (scope: Scope, { changes, company, cursor, has_more: hasMore, revision, counts = {} }: Page): Promise<boolean> {
  if (company !== scope.company) throw new CompanyChanged()
  const state = await scope.state()
  const current = (state.next ?? state.copy) as Copy // a page continues a copy
  const copy = { ...current, cursor }
  await keepChanges(scope, copy, changes)
  // The ids in another copy count when it is complete.
  if (state.next === undefined) await nameRecords(scope, changes)
  if (hasMore) {
    await scope.saveState({ ...state, ...state.next === undefined ? { copy } : { next: copy } })
    return true
  }
  if (Object.entries(counts).some(([resource, count]) => count !== (copy.counts[resource] ?? 0))) {
    await startAgain(scope)
    return false
  }
  await scope.saveState({ ...state, copy, next: undefined, revision })
  if (state.next !== undefined && state.copy !== undefined) await removeRecords(scope, state.copy.generation)
  if (state.next !== undefined) await leaveLostTimeline(scope, copy, Object.keys(counts))
  // The records show what the server had accepted before this page was requested.
  const edits = await Edits.load(scope)
  await takeVersions(edits, copy.generation)
  edits.drop(edits.all.filter(({ status }) => status === 'accepted'))
  edits.drop(await fulfilled(scope, edits.all, copy.generation))
  await becomeNewDevice(edits)
  await edits.save()
  return true
}

/** @param copy its counts are changed */
async function keepChanges (scope: Scope, copy: Copy, changes: Page['changes']) {
  const keys = changes.map(({ resource, id }) => scope.recordKey(copy.generation, resource, id))
  const before = await scope.read<Values>(keys)
  copy.counts = { ...copy.counts }
  const written = changes.map((change, index): [string, unknown] => {
    const record = 'record' in change ? { ...change.record, ...change.ref !== undefined && { ref: change.ref } } : undefined
    copy.counts[change.resource] = (copy.counts[change.resource] ?? 0) + Number(record !== undefined) - Number(before[index] !== undefined)
    return [keys[index], record]
  })
  await scope.transaction.write(written)
}

/** Keeps ids and times of creation of this device's records when they are first shown. */
async function nameRecords (scope: Scope, changes: Page['changes']) {
  const records = changes.flatMap(change => 'record' in change ? [change] : [])
  const keys = records.map(({ resource, id }) => scope.localIdKey(resource, id))
  const localIds = await scope.read<string>(keys)
  const named: Named[] = records.flatMap(({ resource, id, ref, record }, index) => {
    // The answer to a creation, or to its repetition, can come later or never.
    const localId = ref ?? localIds[index]
    return localId === undefined ? [] : [[localId, { resource, id, created: record.created_at }]]
  })
  const known = await scope.serverIdsOf(named.map(([id]) => id))
  await keepServerIds(scope, named.filter(([id, serverId]) => known.get(id)?.created === undefined || known.get(id)?.id !== serverId.id))
}
