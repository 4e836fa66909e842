import type { FastifyBaseLogger } from 'fastify'

/** Milliseconds: a line for each would be more work still. */
const between = 10_000

/** Logs the number of refusals, by default requests under overload: at the first, then every ten seconds. */
export function refusals (log: FastifyBaseLogger, message = 'there is too much to do: requests were refused'): () => void {
  let refused = 0
  let timer: NodeJS.Timeout | undefined

  function tell () {
    timer = undefined
    if (refused === 0) return
    log.warn({ refused }, message)
    refused = 0
    timer = setTimeout(tell, between).unref()
  }

  return () => {
    refused++
    if (timer === undefined) tell()
  }
}
