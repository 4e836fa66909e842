import { refuseAborted } from '../aborts.ts'
import { acknowledgedIn } from './next-edits.ts'
import { Edits } from './edits.ts'
import { sendMutations } from './send-mutations.ts'
import type { Exchange } from './exchange.ts'

/**
 * Acknowledges the results after which no edits follow. Without it, the server would keep them, and could not give the device's place to
 * another one. If it fails, the next synchronization acknowledges them.
 * @throws the reason of the signal
 */
export async function acknowledge (exchange: Exchange) {
  const { write, signal } = exchange
  const { cursor, device, last, known } = await write(async (scope) => {
    const edits = await Edits.load(scope)
    const { copy, next, device, acknowledged = 0 } = edits.state
    return { cursor: next === undefined ? copy?.cursor : undefined, device, last: acknowledgedIn(edits), known: acknowledged }
  })
  if (cursor === undefined || last <= known) return
  const { data } = await sendMutations(exchange, { device, cursor, acknowledged: last }, [])
  refuseAborted(signal)
  if (data === undefined) return
  await write(async (scope) => {
    const state = await scope.state()
    if (state.device === device) await scope.saveState({ ...state, acknowledged: last })
  })
}
