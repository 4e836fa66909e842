import { ObraError } from '../errors.js'
import { isLocalId, referredIn } from './edit.js'
import { Edits } from './edits.js'
import { isTaken, queueAgain } from './device.js'
import { heldBy } from './failures.js'
import { follow } from './follow.js'
import { createdAtOf, mutationOf } from './mutation.js'
import { buildsOn, recordOf, waitingIn } from './order.js'
import { isLostCursor } from './pull.js'
import { keepServerIds } from './server-ids.js'
import { startAgain } from './timelines.js'

/** @import { Edit, Mutation, Result } from './edit.js' */
/** @import { Scope, State } from './scope.js' */
/** @import { Named } from './server-ids.js' */
/** @import { Exchange } from './exchange.js' */

/** Limits of a request, below those of the server. */
const mostMutations = 200
const mostBytes = 1_000_000
/** Results that the device leaves unacknowledged, below the server's limit of 1,000. */
const mostResults = 800

/** Edits in a row with which the server can fail before the whole synchronization fails. */
const mostInARow = 10
/** Synchronizations in which the server can fail with an edit, and take others, before the edit counts as refused. */
const mostFailures = 3

/**
 * Sends the queue, if the store has a cursor: with it the server checks that it is the server of the store's records. It ends early if the device
 * has too many results that it can acknowledge only after the feed has shown their records.
 * @param {Exchange} exchange
 * @returns {Promise<boolean>} whether the server has taken edits
 */
export async function push (exchange) {
  /** The edits with which the server fails, each alone in a request. @type {Map<number, ObraError>} */
  const failures = new Map()
  let [hasTaken, isFull, inARow] = [false, false, 0]
  for (let most = mostMutations; ;) {
    const { cursor, edits, isWindowFull, ...rest } = await exchange.write(async scope => await nextEdits(scope, most, failures))
    if (cursor === undefined || edits.length === 0) {
      isFull = isWindowFull
      break
    }
    const body = { ...rest, cursor, mutations: edits.map(({ mutation }) => /** @type {Mutation} */ (mutation)) }
    const fewer = edits.length > 1 ? Math.ceil(edits.length / 2) : undefined
    try {
      const { data, error, response } = await exchange.client.POST('/api/v1/mutations/', { body, ...exchange.request() })
      if (data !== undefined) {
        if (data.results.length !== edits.length) throw new Error('The answer does not have a result for each mutation.')
        await exchange.write(async scope => await keepResults(scope, data.results, data.cursor))
        if (inARow > 0) most = mostMutations
        hasTaken ||= !data.results.every(isTaken)
        inARow = 0
      } else if (isLostCursor(response, error)) {
        await exchange.write(startAgain)
        return hasTaken
      } else if (fewer === undefined && isRefusal(response)) {
        const [only] = /** @type {[Edit]} */ (edits)
        await exchange.write(async scope => await keepResults(scope, [refusal(only, new ObraError(error, response))]))
        most = mostMutations
      } else if (fewer !== undefined && (isRefusal(response) || response.status === 500)) {
        // The request fails as a whole because of some mutation, or of their number.
        most = fewer
      } else if (response.status === 500 && inARow < mostInARow) {
        // The others are sent without it, the next one alone: the server may fail with it too.
        failures.set(/** @type {Edit} */ (edits[0]).number, new ObraError(error, response))
        inARow += 1
        most = 1
      } else if (isWithoutRoom(response, error) && (hasTaken || isAfterResults(edits, rest.acknowledged, failures))) {
        break
      } else if (isWithoutRoom(response, error) && fewer !== undefined) {
        most = fewer
      } else if (isWithoutRoom(response, error)) {
        if (failures.size === 0) failures.set(/** @type {Edit} */ (edits[0]).number, new ObraError(error, response))
        isFull = true
        break
      } else {
        throw new ObraError(error, response)
      }
    } catch (error) {
      // The connection is too slow for the request.
      if (fewer === undefined || /** @type {Error} */ (error).name !== 'TimeoutError') throw error
      most = fewer
    }
  }
  // If the device is full, these edits prevent it from acknowledging results, and so block all others.
  const left = hasTaken || isFull ? await exchange.write(async scope => await keepFailures(scope, failures)) : [...failures.values()]
  if (left.length > 0) throw left[0]
  return hasTaken
}

/** @param {Response} response to a whole request */
function isRefusal ({ status }) {
  return status === 400 || status === 413
}

/** Whether the server keeps so many results of the device that it takes no other mutations. @param {Response} response @param {unknown} error */
function isWithoutRoom (response, error) {
  return response.status === 409 && new ObraError(error, response).code === 'too_many_results'
}

/** Whether edits follow others that the device acknowledges after the feed has shown their records. @param {Edit[]} edits @param {number} acknowledged @param {Map<number, unknown>} failures */
function isAfterResults ([first], acknowledged, failures) {
  return failures.size === 0 && /** @type {Edit} */ (first).number > acknowledged + 1
}

/**
 * The first edits without an answer, from now on `sent`: their mutations stay the same until the server answers.
 * @param {Scope} scope
 * @param {number} most
 * @param {Map<number, unknown>} failures by the numbers of edits that are left out
 */
async function nextEdits (scope, most, failures) {
  const edits = await Edits.load(scope)
  const { state } = edits
  // Only a complete copy shows which records the server has lost.
  const cursor = state.next === undefined ? state.copy?.cursor : undefined
  if (cursor === undefined) return { cursor, device: state.device, acknowledged: 0, edits: [], isWindowFull: false }
  const held = heldBy(edits.all, failures)
  const isUnanswered = (/** @type {Edit} */ { number, status }) => (status === 'sent' || (status === 'queued' && state.isTaken === undefined)) && !held.has(number)
  letOvertake(edits, isUnanswered)
  const { all } = edits
  const waiting = waitingIn(all)
  const acknowledged = (all.find(({ status }) => status === 'queued' || status === 'sent' || status === 'accepted')?.number ?? state.last + 1) - 1
  const candidates = all.filter(edit => isUnanswered(edit) && !waiting.has(edit))
  const next = upToUnclear(candidates.filter(({ number }) => number <= acknowledged + mostResults).slice(0, most))
  const serverIds = await scope.serverIdsOf(next.flatMap(edit => [edit.record, ...referredIn(edit)]).filter(isLocalId))
  const numbers = new Set()
  let bytes = 0
  for (const edit of next) {
    const mutation = edit.mutation ?? mutationOf(edit, serverIds)
    bytes += JSON.stringify(mutation).length
    if (bytes > mostBytes && numbers.size > 0) break
    numbers.add(edit.number)
    if (edit.status === 'queued') edits.change(edit, { status: 'sent', mutation, createdAt: { ...edit.createdAt, ...createdAtOf(edit, serverIds) } })
  }
  await edits.save()
  return {
    cursor,
    device: state.device,
    acknowledged,
    edits: all.filter(({ number }) => numbers.has(number)),
    isWindowFull: candidates.length > 0 && next.length === 0
  }
}

/**
 * Gives edits that wait for the app later numbers than the edits that are sent now: the server keeps all results after the first open number.
 * @param {Edits} edits
 * @param {(edit: Edit) => boolean} isUnanswered
 */
function letOvertake (edits, isUnanswered) {
  const waiting = waitingIn(edits.all)
  const last = edits.all.findLastIndex(edit => isUnanswered(edit) && !waiting.has(edit))
  if (edits.all.slice(0, Math.max(last, 0)).some(edit => waiting.has(edit))) edits.move([...waiting])
}

/**
 * Edits up to the first one that builds on another of them: the next request has it, if the server accepts the other. An edit of a new record
 * need not wait, because without the record the server refuses it.
 * @param {Edit[]} edits in order
 */
function upToUnclear (edits) {
  /** @type {Map<string, Edit[]>} */
  const byRecord = new Map()
  const end = edits.findIndex((edit) => {
    const before = byRecord.get(recordOf(edit)) ?? []
    byRecord.set(recordOf(edit), [...before, edit])
    return edit.status === 'queued' && before.some(earlier => (earlier.op !== 'create' || edit.op === 'delete') && buildsOn(edit, earlier))
  })
  return end < 0 ? edits : edits.slice(0, end)
}

/**
 * @param {Scope} scope
 * @param {Result[]} results
 * @param {string} [cursor] the cursor of the request with the revision of the results
 */
async function keepResults (scope, results, cursor) {
  const edits = await Edits.load(scope)
  if (cursor !== undefined) edits.state = withCursor(edits.state, cursor)
  /** @type {Named[]} */
  const named = []
  for (const result of results) {
    const edit = edits.all.find(({ number }) => number === result.id)
    // Another tab has kept the result already, if there are no locks between tabs.
    if (edit?.status !== 'sent') continue
    edits.change(edit, { status: statusOf(result), result })
    if (isTaken(result)) continue
    follow(edits, /** @type {Edit} */ (edits.find(edit.number)))
    if (result.status === 201 && result.record !== undefined) {
      named.push([String(edit.record), { resource: edit.resource, id: result.record.id }])
    }
  }
  if (results.some(isTaken)) queueAgain(edits, results)
  const known = await scope.serverIdsOf(named.map(([id]) => id))
  // The feed can have shown the record first.
  await keepServerIds(scope, named.filter(([id, serverId]) => known.get(id)?.id !== serverId.id))
  await edits.save()
}

/**
 * Counts failures. The last one refuses the edit: from then on the server no longer takes its mutation, because the device acknowledges it.
 * @param {Scope} scope
 * @param {Map<number, ObraError>} failures
 * @returns {Promise<ObraError[]>} those of edits that are sent again
 */
async function keepFailures (scope, failures) {
  const edits = await Edits.load(scope)
  const failed = edits.all.filter(({ number, status }) => status === 'sent' && failures.has(number)).map(edit => ({ ...edit, failures: (edit.failures ?? 0) + 1 }))
  for (const { number, failures } of failed) edits.change(/** @type {Edit} */ (edits.all.find(edit => edit.number === number)), { failures })
  await edits.save()
  const errorOf = (/** @type {Edit} */ { number }) => /** @type {ObraError} */ (failures.get(number))
  const isOver = (/** @type {Edit} */ edit) => (edit.failures ?? 0) >= mostFailures
  await keepResults(scope, failed.filter(isOver).map(edit => refusal(edit, errorOf(edit))))
  return failed.filter(edit => !isOver(edit)).map(errorOf)
}

/** @param {State} state @param {string} cursor @returns {State} */
function withCursor (state, cursor) {
  return state.copy === undefined ? state : { ...state, copy: { ...state.copy, cursor } }
}

/** @param {Result} result @returns {Edit['status']} */
function statusOf ({ status, fields }) {
  if (status < 300) return 'accepted'
  return fields !== undefined ? 'conflict' : 'refused'
}

/** The result of a mutation that cannot be sent. @param {Edit} edit @param {ObraError} error @returns {Result} */
function refusal ({ number }, { status, code, message, errors, codes }) {
  return { id: number, status, code, detail: message, errors, codes }
}
