import { ConnectionError, ObraError } from '../errors.js'
import { failureOf } from '../failure.js'
import { acknowledge } from './acknowledge.js'
import { askForCompany } from './companies.js'
import { beginExchange } from './exchange.js'
import { waitingIn } from './order.js'
import { CompanyChanged, pull } from './pull.js'
import { push } from './push.js'
import { startAgain } from './timelines.js'

/** @import { ObraClient } from '../index.d.ts' */
/** @import { Edit } from './edit.js' */
/** @import { Exchange } from './exchange.js' */
/** @import { Storage } from './index.d.ts' */
/** @import { Selection } from './selection.js' */

/** In `status` after a synchronization that has not failed. */
const noFailure = { error: undefined, code: undefined }

/** Rounds of sending and receiving in one synchronization, beyond those in which the server takes edits. */
const maxRounds = 4

/**
 * Sends the queued edits and receives changes, until nothing is left to send.
 * @param {ObraClient} client
 * @param {Storage} storage
 * @param {Selection} selection
 * @param {AbortSignal} signal
 */
export async function synchronize (client, storage, selection, signal) {
  for (let round = 1; ; round++) {
    const exchange = await beginExchange(client, storage, selection, signal)
    const { company, write, request } = exchange
    try {
      const hasTaken = await pushAndPull(exchange, signal)
      // Edits made before the first copy, or that a restored server needs again.
      const hasUnsent = await write(async scope => hasSendable(await scope.allEdits()))
      if (hasUnsent && (hasTaken || round < maxRounds)) continue
      await write(async scope => await scope.saveState({ ...await scope.state(), ...noFailure, lastSync: Date.now() }))
      await acknowledge(exchange)
      return
    } catch (error) {
      if (round >= maxRounds || !isCompanyChange(error)) {
        if (!signal.aborted) await write(async scope => await scope.saveState({ ...await scope.state(), ...failureIn(error) }))
        throw error
      }
      const present = await askForCompany(client, request())
      // The cursor is another company's.
      if (present.company === company) await write(startAgain)
    }
  }
}

/** @param {Exchange} exchange @param {AbortSignal} signal @returns {Promise<boolean>} whether the server has taken edits */
async function pushAndPull (exchange, signal) {
  const { hasTaken, failure } = await push(exchange).catch((error) => {
    if (signal.aborted || isCompanyChange(error) || error instanceof ConnectionError) throw error
    return { hasTaken: false, failure: error }
  })
  // The device receives changes even if its edits cannot be sent, unless there is no connection.
  await pull(exchange)
  if (failure !== undefined) throw failure
  return hasTaken
}

/** Whether the server can get an edit, because none before it waits for the app. @param {Edit[]} edits */
function hasSendable (edits) {
  const waiting = waitingIn(edits)
  return edits.some(edit => edit.status === 'sent' || (edit.status === 'queued' && !waiting.has(edit)))
}

/** What a failed synchronization shows in `status`. @param {unknown} error */
export function failureIn (error) {
  return { error: error instanceof Error ? error.message : String(error), code: failureOf(error) }
}

/** @param {unknown} error */
function isCompanyChange (error) {
  return error instanceof CompanyChanged || (error instanceof ObraError && error.code === 'company_changed')
}
