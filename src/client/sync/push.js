import { ObraError } from '../errors.js'
import { randomUuid } from '../random.js'
import { isLocalId, referencesOf, referredIn } from './edit.js'
import { Edits } from './edits.js'
import { isLostCursor } from './pull.js'
import { keepServerIds } from './server-ids.js'
import { startAgain } from './timelines.js'

/** @import { Id } from './index.d.ts' */
/** @import { Edit, Mutation, Result } from './edit.js' */
/** @import { Scope, ServerId, State, Values } from './scope.js' */
/** @import { Named } from './server-ids.js' */
/** @import { Exchange } from './synchronize.js' */

/** Limits of a request, below those of the server. */
const mostMutations = 200
const mostBytes = 1_000_000

/** Sends the queue, if the store has a cursor: with it the server checks that it is the server of the store's records. @param {Exchange} exchange */
export async function push (exchange) {
  for (let most = mostMutations; ;) {
    const { cursor, edits, ...rest } = await exchange.write(async scope => await nextEdits(scope, most))
    if (cursor === undefined || edits.length === 0) return
    const body = { ...rest, cursor, mutations: edits.map(({ mutation }) => /** @type {Mutation} */ (mutation)) }
    const fewer = edits.length > 1 ? Math.ceil(edits.length / 2) : undefined
    try {
      const { data, error, response } = await exchange.client.POST('/api/v1/mutations/', { body, ...exchange.request() })
      if (data !== undefined) {
        if (data.results.length !== edits.length) throw new Error('The answer does not have a result for each mutation.')
        await exchange.write(async scope => await keepResults(scope, data.results, data.cursor))
      } else if (isLostCursor(response, error)) {
        await exchange.write(startAgain)
        return
      } else if (fewer === undefined && isRefusal(response)) {
        const [only] = /** @type {[Edit]} */ (edits)
        await exchange.write(async scope => await keepResults(scope, [refusal(only, new ObraError(error, response))]))
        most = mostMutations
      } else if (fewer !== undefined && (isRefusal(response) || response.status === 500)) {
        // The request fails as a whole because of some mutation, or of their number.
        most = fewer
      } else {
        throw new ObraError(error, response)
      }
    } catch (error) {
      // The connection is too slow for the request.
      if (fewer === undefined || /** @type {Error} */ (error).name !== 'TimeoutError') throw error
      most = fewer
    }
  }
}

/** @param {Response} response to a whole request */
function isRefusal ({ status }) {
  return status === 400 || status === 413
}

/**
 * The first edits without an answer, from now on `sent`: their mutations stay the same until the server answers.
 * @param {Scope} scope
 * @param {number} most
 */
async function nextEdits (scope, most) {
  const edits = await Edits.load(scope)
  const { state, all } = edits
  // Only a complete copy shows which records the server has lost.
  const cursor = state.next === undefined ? state.copy?.cursor : undefined
  if (cursor === undefined) return { cursor, device: state.device, acknowledged: 0, edits: [] }
  // An edit that corrects one whose answer was lost waits for that answer.
  const unclear = new Set(all.filter(({ status }) => status === 'sent').map(({ record }) => record))
  const waiting = all.filter(({ status, record }) => status === 'sent' || (status === 'queued' && !unclear.has(record))).slice(0, most)
  const serverIds = await scope.serverIdsOf(waiting.flatMap(edit => [edit.record, ...referredIn(edit)]).filter(isLocalId))
  const numbers = new Set()
  let bytes = 0
  for (const edit of waiting) {
    const mutation = edit.mutation ?? mutationOf(edit, serverIds)
    bytes += JSON.stringify(mutation).length
    if (bytes > mostBytes && numbers.size > 0) break
    numbers.add(edit.number)
    if (edit.status === 'queued') edits.change(edit, { status: 'sent', mutation, createdAt: { ...edit.createdAt, ...createdAtOf(edit, serverIds) } })
  }
  await edits.save()
  const unanswered = all.find(({ status }) => status === 'queued' || status === 'sent' || status === 'accepted')
  return {
    cursor,
    device: state.device,
    acknowledged: (unanswered?.number ?? state.last + 1) - 1,
    edits: all.filter(({ number }) => numbers.has(number))
  }
}

/** The times of creation of the records that a mutation names by the server's ids. @param {Edit} edit @param {Map<string, ServerId>} serverIds */
function createdAtOf (edit, serverIds) {
  return Object.fromEntries([edit.record, ...referredIn(edit)].flatMap((id) => {
    const shown = isLocalId(id) ? serverIds.get(id) : undefined
    return shown?.created === undefined ? [] : [[`${shown.resource}/${shown.id}`, shown.created]]
  }))
}

/**
 * @param {Edit} edit
 * @param {Map<string, ServerId>} serverIds
 * @returns {Mutation}
 */
function mutationOf ({ number, op, resource, record, base, body, version }, serverIds) {
  /** A restore can give the id of a record that no copy has shown to another one. */
  const shownId = (/** @type {string} */ id) => serverIds.get(id)?.created === undefined ? undefined : serverIds.get(id)?.id
  const idOf = (/** @type {unknown} */ id) => isLocalId(id) ? shownId(id) ?? { ref: id } : id
  const withIds = (/** @type {Values | undefined} */ values) => values && Object.fromEntries(Object.entries(values).map(([field, value]) => [field, field in referencesOf(resource) ? idOf(value) : value]))
  const shared = { id: number, op, resource: /** @type {Mutation['resource']} */ (resource), ...body && { body: withIds(body) } }
  if (op === 'create') return { ...shared, ref: String(record) }
  const target = { ...shared, record: /** @type {Mutation['record']} */ (idOf(record)) }
  return op === 'update' ? { ...target, base: withIds(base) ?? {} } : { ...target, ...version !== undefined && { version } }
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
    const status = statusOf(result)
    edits.change(edit, { status, result })
    if (status === 'refused' || status === 'conflict') edits.rebase(edit)
    // The storage of this device is older than its edits on the server: their numbers are taken.
    if (isTaken(result)) edits.state = { ...edits.state, device: randomUuid() }
    if (result.status === 424) edits.sendAfterCreation(edit.number)
    if (result.status === 201 && result.record !== undefined) {
      named.push([String(edit.record), { resource: edit.resource, id: result.record.id }])
    }
  }
  const known = await scope.serverIdsOf(named.map(([id]) => id))
  // The feed can have shown the record first.
  await keepServerIds(scope, named.filter(([id, serverId]) => known.get(id)?.id !== serverId.id))
  await edits.save()
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

/** Whether the server has had another mutation with this number, or no longer knows. @param {Result} result */
function isTaken ({ status, code }) {
  return status === 422 || code === 'already_acknowledged'
}

/** The result of a mutation that cannot be sent. @param {Edit} edit @param {ObraError} error @returns {Result} */
function refusal ({ number }, { status, code, message, errors }) {
  return { id: number, status, code, detail: message, errors }
}
