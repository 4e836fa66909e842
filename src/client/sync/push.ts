import { refuseAborted } from '../aborts.ts'
import { ConnectionError, isOfProxy, ObraError } from '../errors.ts'
import { isTaken } from './device.ts'
import { nextEdits } from './next-edits.ts'
import { isLostCursor } from './pull.ts'
import { queueDue } from './blocked.ts'
import { keepFailures, keepResults, refusal } from './results.ts'
import { isFault, isSlow, reachesServer, sendMutations } from './send-mutations.ts'
import { startAgain } from './timelines.ts'
import type { Edit } from './edit.ts'
import type { Exchange } from './exchange.ts'

/** Mutations of a request, the server's limit. */
const maxMutations = 200

/** Edits in a row that fail, each alone in a request, before the whole synchronization fails. */
const maxInARow = 10

/**
 * Sends the queue, if the store has a cursor: with it the server checks that it is the server of the store's records. It ends early if the
 * device has too many results that it can acknowledge only after the feed has shown their records.
 *
 * Only an answer of the server decides about an edit. If something between fails with a request, and not with one without edits, its
 * content is the reason: the request is halved, and an edit that fails alone is left out for this time.
 * @returns whether the server has taken edits, and the error of an edit that is sent again, although the server was reached
 * @throws {ConnectionError} if the server was not reached
 */
export async function push (exchange: Exchange): Promise<{ hasTaken: boolean, failure?: unknown }> {
  /** The errors of edits, each alone in a request. */
  const failures = new Map<number, unknown>()
  let [hasTaken, isFull, inARow] = [false, false, 0]
  /** The edit whose connection was lost when it was alone in a request. */
  let lost: number | undefined
  /** Mutations of the next request. */
  let size = maxMutations
  await exchange.write(async scope => await queueDue(scope))
  while (inARow <= maxInARow) {
    const { cursor, edits, isWindowFull, ...rest } = await exchange.write(async scope => await nextEdits(scope, size, failures))
    if (cursor === undefined || edits.length === 0) {
      isFull = isWindowFull
      break
    }
    const first = edits[0]
    const fewer = edits.length > 1 ? Math.ceil(edits.length / 2) : undefined
    const { data, error } = await sendMutations(exchange, { ...rest, cursor }, edits)
    refuseAborted(exchange.signal)
    const status = error instanceof ObraError && !isOfProxy(error) ? error.status : undefined
    if (data !== undefined) {
      await exchange.write(async scope => await keepResults(scope, data.results, data.cursor))
      if (inARow > 0 || lost !== undefined) size = maxMutations
      lost = undefined
      hasTaken ||= !data.results.every(isTaken)
      inARow = 0
    } else if (isLostCursor(error)) {
      await exchange.write(startAgain)
      return { hasTaken }
    } else if (isFault(error)) {
      if (!(isSlow(error) && fewer !== undefined) && !await reachesServer(exchange, { ...rest, cursor })) throw error
      // A bad network loses single requests. The content is the reason only if the edit fails twice in a row.
      const isSentAgain = fewer === undefined && error instanceof ConnectionError && lost !== first.number
      if (isSentAgain) {
        lost = first.number
      } else if (fewer === undefined) {
        failures.set(first.number, error)
        inARow += 1
      }
      size = fewer ?? 1
    } else if (fewer === undefined && isRefusal(status)) {
      await exchange.write(async scope => await keepResults(scope, [refusal(first, error as ObraError)])) // only an ObraError has a status
      size = maxMutations
    } else if (fewer !== undefined && (isRefusal(status) || status === 500)) {
      // The request fails as a whole because of some mutation, or of their number.
      size = fewer
    } else if (status === 500 && inARow < maxInARow) {
      // The others are sent without it, the next one alone: the server may fail with it too.
      failures.set(first.number, error)
      inARow += 1
      size = 1
    } else if (isWithoutRoom(error) && (hasTaken || isAfterResults(edits, rest.acknowledged, failures))) {
      break
    } else if (isWithoutRoom(error) && fewer !== undefined) {
      size = fewer
    } else if (isWithoutRoom(error)) {
      if (failures.size === 0) failures.set(first.number, error)
      isFull = true
      break
    } else {
      throw error
    }
  }
  // If the device is full, these edits prevent it from acknowledging results, and so block all others.
  const left = await exchange.write(async scope => await keepFailures(scope, failures, hasTaken || isFull))
  return { hasTaken, failure: left[0] }
}

/** @param status of the server's answer to a whole request */
function isRefusal (status: number | undefined) {
  return status === 400 || status === 413
}

/** Whether the server keeps so many results of the device that it takes no other mutations. */
function isWithoutRoom (error: unknown) {
  return error instanceof ObraError && error.status === 409 && error.code === 'too_many_results'
}

/** Whether edits follow others that the device acknowledges after the feed has shown their records. */
function isAfterResults ([first]: Edit[], acknowledged: number, failures: Map<number, unknown>) {
  return failures.size === 0 && first.number > acknowledged + 1
}
