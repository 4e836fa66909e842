import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that one request computes before others run. */
const longestSlice = 5

/** Makes a function that lets other requests run if the present slice has taken its time. Call it between parts of long work. */
export function slices (): () => Promise<void> | undefined {
  let began = performance.now()
  return () => performance.now() - began < longestSlice ? undefined : nextTurn().then(() => { began = performance.now() })
}
