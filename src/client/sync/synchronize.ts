import { ConnectionError, ObraError } from '../errors.ts'
import { failureOf } from '../failure.ts'
import { acknowledge } from './acknowledge.ts'
import { askForCompany } from './companies.ts'
import { beginExchange } from './exchange.ts'
import { waitingIn } from './order.ts'
import { CompanyChanged, pull } from './pull.ts'
import { push } from './push.ts'
import { startAgain } from './timelines.ts'
import type { ObraClient } from '../types.ts'
import type { Edit } from './edit.ts'
import type { Exchange } from './exchange.ts'
import type { Storage } from './types.ts'
import type { Selection } from './selection.ts'

/** In `status` after a synchronization that has not failed. */
const noFailure = { error: undefined, code: undefined }

/** Rounds of sending and receiving in one synchronization, beyond those in which the server takes edits. */
const maxRounds = 4

/** Sends the queued edits and receives changes, until nothing is left to send. */
export async function synchronize (client: ObraClient, storage: Storage, selection: Selection, signal: AbortSignal) {
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

/** @returns whether the server has taken edits */
async function pushAndPull (exchange: Exchange, signal: AbortSignal): Promise<boolean> {
  const { hasTaken, failure } = await push(exchange).catch((error) => {
    if (signal.aborted || isCompanyChange(error) || error instanceof ConnectionError) throw error
    return { hasTaken: false, failure: error }
  })
  // The device receives changes even if its edits cannot be sent, unless there is no connection.
  await pull(exchange)
  if (failure !== undefined) throw failure
  return hasTaken
}

/** Whether the server can get an edit, because none before it waits for the app. */
function hasSendable (edits: Edit[]) {
  const waiting = waitingIn(edits)
  return edits.some(edit => edit.status === 'sent' || (edit.status === 'queued' && !waiting.has(edit)))
}

/** What a failed synchronization shows in `status`. */
export function failureIn (error: unknown) {
  return { error: error instanceof Error ? error.message : String(error), code: failureOf(error) }
}

function isCompanyChange (error: unknown) {
  return error instanceof CompanyChanged || (error instanceof ObraError && error.code === 'company_changed')
}
