import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '../test/support/trial/data.ts'
import { get } from '../test/support/trial/http.ts'
import { megabyte } from '../test/support/trial/machine.ts'
import type { Server } from '../test/support/trial/server.ts'

/** Pause in ms between two pages. */
const interval = 20

/** Requests pages until `done` is set, and measures the highest memory. @returns times in ms, and MB */
export async function readPages (server: Server, { headers }: User, done: () => boolean): Promise<{ times: number[], megabytes: number }> {
  const times: number[] = []
  let megabytes = 0
  for (let page = 1; !done(); page++) {
    const began = performance.now()
    // Another page each time, so that none is cached.
    await get(server.url, { path: `/api/v1/contracts/?page_size=20&page=${1 + page % 50}`, headers })
    times.push(performance.now() - began)
    megabytes = Math.max(megabytes, server.usage().memory / megabyte)
    await sleep(interval)
  }
  return { times, megabytes }
}
