import { isTaken, queueAgain } from './device.js'
import { Edits } from './edits.js'
import { follow } from './follow.js'
import { keepServerIds } from './server-ids.js'

/** @import { ObraError } from '../errors.js' */
/** @import { Edit, Result } from './edit.js' */
/** @import { Scope, State } from './scope.js' */
/** @import { Named } from './server-ids.js' */

/** Synchronizations in which the server can fail with an edit, and take others, before the edit counts as refused. */
const maxFailures = 3

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
export async function keepFailures (scope, failures) {
  const edits = await Edits.load(scope)
  /** @type {Edit[]} */
  const failed = []
  for (const edit of edits.all.filter(({ number, status }) => status === 'sent' && failures.has(number))) {
    const counted = { failures: (edit.failures ?? 0) + 1 }
    edits.change(edit, counted)
    failed.push({ ...edit, ...counted })
  }
  await edits.save()
  const errorOf = (/** @type {Edit} */ { number }) => /** @type {ObraError} */ (failures.get(number))
  const isOver = (/** @type {Edit} */ edit) => (edit.failures ?? 0) >= maxFailures
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

/** The result of a mutation that cannot be sent. @param {Pick<Edit, 'number'>} edit @param {ObraError} error @returns {Result} */
export function refusal ({ number }, { status, code, message, errors, codes }) {
  return { id: number, status, code, detail: message, errors, codes }
}
