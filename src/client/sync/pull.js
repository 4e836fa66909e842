import { ObraError } from '../errors.js'
import { Edits } from './edits.js'
import { emptyCopy, leaveLostTimeline, removeRecords, startAgain } from './timelines.js'

/** @import { components } from '../index.d.ts' */
/** @import { Copy, Scope, ServerId, State, Values } from './scope.js' */
/** @import { Exchange } from './synchronize.js' */
/** @typedef {components['schemas']['Changes']} Page */

/** Maximum new copies in one synchronization. */
const mostRestarts = 3

/** The active company is another one now. */
export class CompanyChanged extends Error {}

/** Receives changes until the records have the state of a revision. @param {Exchange} exchange */
export async function pull (exchange) {
  let restarts = 0
  for (;;) {
    const cursor = await exchange.write(beginning)
    const { data: page, error, response } = await exchange.client.GET('/api/v1/changes/', { params: { query: cursor === undefined ? {} : { cursor } }, ...exchange.request() })
    if (page !== undefined) {
      const isExact = await exchange.write(async scope => await keepPage(scope, page))
      if (!page.has_more && isExact) return
      if (isExact) continue
    } else if (isLostCursor(response, error)) {
      await exchange.write(startAgain)
    } else {
      throw new ObraError(error, response)
    }
    restarts += 1
    if (restarts > mostRestarts) throw new Error('The server asks for another copy of all records again and again.')
  }
}

/** Whether the server cannot continue at a cursor, or does not know it. @param {Response} response @param {unknown} error */
export function isLostCursor ({ status }, error) {
  return status === 410 || (status === 400 && Object.hasOwn(/** @type {{ errors?: object }} */ (error).errors ?? {}, 'cursor'))
}

/** Where the next page begins. @param {Scope} scope @returns {Promise<string | undefined>} */
async function beginning (scope) {
  const state = await scope.state()
  if (state.copy === undefined && state.next === undefined) await scope.saveState({ ...state, next: emptyCopy(1) })
  return (state.next ?? state.copy)?.cursor
}

/**
 * Keeps a page of the feed in one transaction with its cursor.
 * @param {Scope} scope
 * @param {Page} page
 * @returns {Promise<boolean>} whether the copy has as many records as the server
 * @throws {CompanyChanged} if the page is another company's
 */
async function keepPage (scope, { changes, company, cursor, has_more: hasMore, revision, counts = {} }) {
  if (company !== scope.company) throw new CompanyChanged()
  const state = await scope.state()
  const current = /** @type {Copy} */ (state.next ?? state.copy)
  const copy = { ...current, cursor }
  await keepChanges(scope, copy, changes)
  await dateServerIds(scope, changes)
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
  if (state.next !== undefined) await leaveLostTimeline(scope, copy.generation)
  // The records show what the server had accepted before this page was requested.
  const edits = await Edits.load(scope)
  edits.drop(edits.all.filter(({ status }) => status === 'accepted'))
  await edits.save()
  return true
}

/**
 * @param {Scope} scope
 * @param {Copy} copy its counts are changed
 * @param {Page['changes']} changes
 */
async function keepChanges (scope, copy, changes) {
  const keys = changes.map(({ resource, id }) => scope.recordKey(copy.generation, resource, id))
  const before = /** @type {Array<Values | undefined>} */ (await scope.transaction.read(keys))
  copy.counts = { ...copy.counts }
  const written = changes.map((change, index) => {
    const record = 'record' in change ? change.record : undefined
    copy.counts[change.resource] = (copy.counts[change.resource] ?? 0) + Number(record !== undefined) - Number(before[index] !== undefined)
    return /** @type {[string, unknown]} */ ([keys[index], record])
  })
  await scope.transaction.write(written)
}

/** Keeps the times of creation of this device's records when they are first shown. @param {Scope} scope @param {Page['changes']} changes */
async function dateServerIds (scope, changes) {
  const records = changes.flatMap(change => 'record' in change ? [change] : [])
  const localIds = /** @type {Array<string | undefined>} */ (await scope.transaction.read(records.map(({ resource, id }) => scope.localIdKey(resource, id))))
  const serverIds = await scope.serverIdsOf(localIds.filter(id => id !== undefined))
  /** @type {Array<[string, ServerId]>} */
  const dated = []
  for (const [index, { resource, id, record }] of records.entries()) {
    const localId = localIds[index]
    // On a restored server, the id can belong to another record.
    if (localId !== undefined && serverIds.get(localId)?.created === undefined) dated.push([scope.serverIdKey(localId), { resource, id, created: record.created_at }])
  }
  await scope.transaction.write(dated)
}
