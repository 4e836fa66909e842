import { setTimeout as sleep } from 'node:timers/promises'
import { send, type Call } from './http.ts'
import { pick, randomFrom } from '../test/support/random.ts'
import type { Server } from './server.ts'

/** A comparison under way. */
export interface Comparing {
  /** Ends it. @returns how many answers were compared @throws {Error} when two of the same revision differed */
  stop: () => Promise<number>
}

/** Milliseconds between two. */
const every = 50

/**
 * Compares what a server under load answers with what another one answers, which remembers nothing: the same bytes, unless
 * something was written between the two.
 * @param calls the load's, of which some reads are taken at random
 */
export function compareAnswers (server: Server, other: Server, calls: Call[] | (() => Call)): Comparing {
  const random = randomFrom(every)
  const stopping = new AbortController()
  const next = () => typeof calls === 'function' ? calls() : pick(calls, random)
  const comparing = (async () => {
    let compared = 0
    for (; !stopping.signal.aborted; await sleep(every)) {
      const call = next()
      if (call.method !== undefined && call.method !== 'GET') break
      const [mine, theirs] = [await send(server.url, call), await send(other.url, call)]
      if (mine.headers.get('etag') !== theirs.headers.get('etag')) continue
      if (mine.status !== theirs.status || !mine.bytes.equals(theirs.bytes)) throw new Error(`${call.path} is answered by other bytes from memory`)
      compared++
    }
    return compared
  })()
  // Whoever stops it hears of it.
  comparing.catch(() => {})
  return {
    async stop () {
      stopping.abort()
      return await comparing
    }
  }
}
