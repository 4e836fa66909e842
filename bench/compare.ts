import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Call } from '../test/support/trial/http.ts'
import { pick, type Random } from '../test/support/trial/random.ts'
import type { Server } from '../test/support/trial/server.ts'

/** A running comparison. */
export interface Comparing {
  /** Stops it. @returns the number of compared answers @throws {Error} if two answers differed at the same revision */
  stop: () => Promise<number>
}

/** Milliseconds between two comparisons. */
const every = 50

/**
 * Compares answers of a server under load with those of another server without a page cache. The bytes must be equal, unless
 * a write happened between the two requests.
 * @param calls those of the load; random reads among them are compared
 */
export function compareAnswers (server: Server, other: Server, calls: Call[] | (() => Call), random: Random): Comparing {
  const stopping = new AbortController()
  const next = () => typeof calls === 'function' ? calls() : pick(calls, random)
  const comparing = (async () => {
    let compared = 0
    for (; !stopping.signal.aborted; await sleep(every)) {
      const call = next()
      if (call.method !== undefined && call.method !== 'GET') break
      const [mine, theirs] = [await send(server.url, call), await send(other.url, call)]
      if (mine.headers.get('etag') !== theirs.headers.get('etag')) continue
      const areEqual = mine.status === theirs.status && mine.bytes.equals(theirs.bytes)
      if (!areEqual) throw new Error(`${call.path} has different bytes with the page cache`)
      compared++
    }
    return compared
  })()
  // `stop` reports the error.
  comparing.catch(() => {})
  return {
    async stop () {
      stopping.abort()
      return await comparing
    }
  }
}
