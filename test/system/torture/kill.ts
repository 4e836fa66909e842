import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../support/random.ts'
import type { Psql } from './integrity.ts'
import { trial, type Verdict } from './trial.ts'

/** A server process that can be killed and started again, on the same port and database. */
export interface Killable {
  origin: string
  /** Ends it by SIGKILL. */
  kill: () => Promise<void>
  /** Starts it again; resolves when it answers. */
  start: () => Promise<void>
}

/** Writes that a life acknowledges at most, and milliseconds that it goes on after them, so that it ends in the midst of others. */
const mostWrites = 60
const mostLonger = 30

/** Kills a server so many times at random moments of a mixed write load, and looks at what is left. @param seed what the moments and the writers' choices begin with */
export async function killing (server: Killable, tokens: string[], times: number, seed: number, look: <T>(work: (psql: Psql) => Promise<T>) => Promise<T>): Promise<Verdict> {
  const subject = { origin: () => server.origin, tokens, patience: 40_000, seed }
  const random = randomFrom(seed)
  return await trial(subject, 4, async written => {
    for (let time = 0; time < times; time++) {
      await written(1 + Math.floor(random() * mostWrites))
      await sleep(random() * mostLonger)
      await server.kill()
      await server.start()
    }
    await written(mostWrites)
  }, look)
}
