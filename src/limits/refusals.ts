import type { FastifyBaseLogger } from 'fastify'

/** Milliseconds: a line for each would be more work still. */
const between = 10_000

/** Tells the log how many requests have been turned away because there was too much to do: at the first, then every ten seconds. */
export function refusals (log: FastifyBaseLogger): () => void {
  let refused = 0
  let timer: NodeJS.Timeout | undefined

  function tell () {
    timer = undefined
    if (refused === 0) return
    log.warn({ refused }, 'there is too much to do: requests were refused')
    refused = 0
    timer = setTimeout(tell, between).unref()
  }

  return () => {
    refused++
    if (timer === undefined) tell()
  }
}
