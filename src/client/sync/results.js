import { ObraError } from '../errors.js'
import { block } from './blocked.js'
import { isTaken, queueAgain } from './device.js'
import { Edits } from './edits.js'
import { follow } from './follow.js'
import { isFault } from './send-mutations.js'
import { keepServerIds } from './server-ids.js'

/** @import { Edit, Result } from './edit.js' */
/** @import { Scope, State } from './scope.js' */
/** @import { Named } from './server-ids.js' */

/** Synchronizations in which an edit or file can fail, while others do not, before it is refused or set apart. */
export const maxFailures = 3

/**
 * Keeps the results of a request, with what they mean for other edits.
 * @param {Scope} scope
 * @param {Result[]} results
 * @param {string} [cursor] the cursor of the request with the revision of the results
 */
export async function keepResults (scope, results, cursor) {
  const edits = await Edits.load(scope)
  if (cursor !== undefined) edits.state = withCursor(edits.state, cursor)
  /** @type {Named[]} */
  const named = []
  for (const result of results) {
    const edit = edits.all.find(({ number }) => number === result.id)
    // Another tab has kept the result already, if there are no locks between tabs.
    if (edit?.status !== 'sent') continue
    edits.change(edit, { status: statusOf(result), result, failures: undefined })
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
 * Counts failures: of a proxy or connection that lets a request without edits through, and of a server that takes other edits. After the
 * last one, the edit is set apart or, if the server has failed, refused. From then on the server no longer takes its mutation, because the
 * device acknowledges it.
 * @param {Scope} scope
 * @param {Map<number, unknown>} failures errors by number of the edit
 * @param {boolean} isServerUp
 * @returns {Promise<unknown[]>} errors of edits that are sent again
 */
export async function keepFailures (scope, failures, isServerUp) {
  const edits = await Edits.load(scope)
  /** @type {unknown[]} */
  const left = []
  /** @type {Result[]} */
  const refusals = []
  for (const [number, error] of failures) {
    const edit = edits.find(number)
    if (edit?.status !== 'sent') continue
    const isCounted = isFault(error) || (isServerUp && error instanceof ObraError)
    const count = (edit.failures ?? 0) + Number(isCounted)
    if (isCounted && count >= maxFailures && isFault(error)) {
      block(edits, edit, error)
    } else if (isCounted && count >= maxFailures) {
      refusals.push(refusal(edit, /** @type {ObraError} */ (error)))
    } else {
      edits.change(edit, { failures: count })
      left.push(error)
    }
  }
  await edits.save()
  await keepResults(scope, refusals)
  return left
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

/** The result of a mutation that cannot be sent. @param {Pick<Edit, 'number'>} edit @param {ObraError} error @returns {Result} */
export function refusal ({ number }, { status, code, message, errors, codes }) {
  return { id: number, status, code, detail: message, errors, codes }
}
