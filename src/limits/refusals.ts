import type { FastifyBaseLogger } from 'fastify'

/** Interval of log lines in ms. A line per refusal would add load. */
const between = 10_000

/** Logs the number of refusals, by default of requests under overload: at the first one, then every ten seconds. */
export function refusals (log: FastifyBaseLogger, message = 'overloaded, requests were refused'): () => void {
  let refused = 0
  let timer: NodeJS.Timeout | undefined

  function report () {
    timer = undefined
    if (refused === 0) return
    log.warn({ refused }, message)
    refused = 0
    timer = setTimeout(report, between).unref()
  }

  return () => {
    refused++
    if (timer === undefined) report()
  }
}
