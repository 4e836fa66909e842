import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Requests that this process works on. A request that only waits, such as an event stream, does not count. */
export const inProgress = { requests: 0 }

/** Milliseconds that a request computes before others run. */
const sliceMs = 5

/** Resolves when the next slice of any request can begin. */
let next: Promise<void> = Promise.resolve()

/**
 * Makes a function that lets other requests run if the present slice has taken its time. Call it between parts of long work. One slice of the
 * process runs at a time, and a pause as long as a slice follows if other requests are in progress: otherwise, a few large bodies would take
 * all the time, and a short request has up to 20 steps that each wait for the slices before them.
 */
export function slices (): () => Promise<void> | undefined {
  let began = performance.now()
  return () => performance.now() - began < sliceMs ? undefined : (next = next.then(rest)).then(() => { began = performance.now() })
}

async function rest (): Promise<void> {
  if (inProgress.requests > 1) await sleep(sliceMs)
  else await nextTurn()
}
