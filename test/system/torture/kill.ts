import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../../src/trial/random.ts'
import type { Psql } from './integrity.ts'
import { trial, type Verdict } from './trial.ts'

/** A server process that can be killed and restarted on the same port and database. */
export interface Killable {
  origin: string
  /** Kills it by SIGKILL. */
  kill: () => Promise<void>
  /** Restarts it; resolves when it answers. */
  start: () => Promise<void>
}

/** Limits of one run of the server: acknowledged writes, and the ms after them until it is killed. */
const mostWrites = 60
const mostLonger = 30

/** Kills a server repeatedly at random moments of a mixed write load, then checks the database. @param seed of all random choices */
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
