import { ObraError } from '../errors.js'
import { isTaken } from './device.js'
import { nextEdits } from './next-edits.js'
import { isLostCursor } from './pull.js'
import { keepFailures, keepResults, refusal } from './results.js'
import { startAgain } from './timelines.js'

/** @import { Edit, Mutation } from './edit.js' */
/** @import { Exchange } from './exchange.js' */

/** Mutations of a request, the server's limit. */
const maxMutations = 200

/** Edits in a row with which the server can fail before the whole synchronization fails. */
const maxInARow = 10

/**
 * Sends the queue, if the store has a cursor: with it the server checks that it is the server of the store's records. It ends early if the
 * device has too many results that it can acknowledge only after the feed has shown their records.
 * @param {Exchange} exchange
 * @returns {Promise<boolean>} whether the server has taken edits
 */
export async function push (exchange) {
  /** The edits with which the server fails, each alone in a request. @type {Map<number, ObraError>} */
  const failures = new Map()
  let [hasTaken, isFull, inARow] = [false, false, 0]
  /** Mutations of the next request. */
  let size = maxMutations
  for (;;) {
    const { cursor, edits, isWindowFull, ...rest } = await exchange.write(async scope => await nextEdits(scope, size, failures))
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
        if (inARow > 0) size = maxMutations
        hasTaken ||= !data.results.every(isTaken)
        inARow = 0
      } else if (isLostCursor(response, error)) {
        await exchange.write(startAgain)
        return hasTaken
      } else if (fewer === undefined && isRefusal(response)) {
        const [only] = /** @type {[Edit]} */ (edits)
        await exchange.write(async scope => await keepResults(scope, [refusal(only, new ObraError(error, response))]))
        size = maxMutations
      } else if (fewer !== undefined && (isRefusal(response) || response.status === 500)) {
        // The request fails as a whole because of some mutation, or of their number.
        size = fewer
      } else if (response.status === 500 && inARow < maxInARow) {
        // The others are sent without it, the next one alone: the server may fail with it too.
        failures.set(/** @type {Edit} */ (edits[0]).number, new ObraError(error, response))
        inARow += 1
        size = 1
      } else if (isWithoutRoom(response, error) && (hasTaken || isAfterResults(edits, rest.acknowledged, failures))) {
        break
      } else if (isWithoutRoom(response, error) && fewer !== undefined) {
        size = fewer
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
      size = fewer
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

/**
 * Whether the server keeps so many results of the device that it takes no other mutations.
 * @param {Response} response
 * @param {unknown} error
 */
function isWithoutRoom (response, error) {
  return response.status === 409 && new ObraError(error, response).code === 'too_many_results'
}

/**
 * Whether edits follow others that the device acknowledges after the feed has shown their records.
 * @param {Edit[]} edits
 * @param {number} acknowledged
 * @param {Map<number, unknown>} failures
 */
function isAfterResults ([first], acknowledged, failures) {
  return failures.size === 0 && /** @type {Edit} */ (first).number > acknowledged + 1
}
