import { acknowledgedIn } from './next-edits.js'
import { Edits } from './edits.js'

/** @import { Exchange } from './exchange.js' */

/**
 * Acknowledges the results after which no edits follow. Without it, the server would keep them, and could not give the device's place to
 * another one. If it fails, the next synchronization acknowledges them.
 * @param {Exchange} exchange
 * @param {AbortSignal} signal
 * @throws the reason of the signal
 */
export async function acknowledge ({ client, write, request }, signal) {
  const { cursor, device, last, known } = await write(async (scope) => {
    const edits = await Edits.load(scope)
    const { copy, next, device, acknowledged = 0 } = edits.state
    return { cursor: next === undefined ? copy?.cursor : undefined, device, last: acknowledgedIn(edits), known: acknowledged }
  })
  if (cursor === undefined || last <= known) return
  try {
    const { data } = await client.POST('/api/v1/mutations/', { body: { device, cursor, acknowledged: last, mutations: [] }, ...request() })
    if (data === undefined) return
  } catch (error) {
    if (signal.aborted) throw error
    return
  }
  await write(async (scope) => {
    const state = await scope.state()
    if (state.device === device) await scope.saveState({ ...state, acknowledged: last })
  })
}
