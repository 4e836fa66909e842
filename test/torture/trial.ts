import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../bench/random.ts'
import { losses } from './losses.ts'
import type { Psql } from './integrity.ts'
import { emptyTally, Writer, type Tally } from './writer.ts'

/** A server that a trial lets writers loose on. */
export interface Subject {
  /** Scheme, host and port, which may change. */
  origin: () => string
  /** Access tokens of Directors, of one company or of several. */
  tokens: string[]
  /** Milliseconds that one request may take to its answer. */
  patience: number
}

/** What a trial found. */
export interface Verdict {
  tally: Tally
  /** Nothing, when nothing is wrong. */
  lost: string[]
}

let trials = 0

/**
 * Lets writers write while something is done to their server, then lets them end, and compares what they were told with what is there.
 * @param writersEach writers of each token
 * @param torment what is done; it can wait until so many more writes were acknowledged. The writers end when it has, and the last request of each was acknowledged
 * @param look gives the superuser's connection, once the writers have ended
 */
export async function trial ({ origin, tokens, patience }: Subject, writersEach: number, torment: (written: (more: number) => Promise<void>) => Promise<void>, look: <T>(work: (psql: Psql) => Promise<T>) => Promise<T>): Promise<Verdict> {
  const marker = `T${process.pid}-${++trials}-`
  const abandon = new AbortController()
  const tally = emptyTally()
  const writers = tokens.flatMap((token, company) => Array.from({ length: writersEach }, (_, number) =>
    new Writer(`${marker}${company}-${number}`, { origin, token, patience, abandoned: abandon.signal, random: randomFrom(trials * 1000 + company * 100 + number) }, tally)))
  let over = false
  const written = Promise.all(writers.map(async writer => await writer.run(() => over)))
  try {
    await torment(async (more) => await acknowledged(tally, more))
  } catch (error) {
    abandon.abort()
    throw error
  } finally {
    over = true
    await written
  }
  return { tally, lost: await look(async psql => await losses(writers, psql, marker)) }
}

/** Waits until so many more writes were acknowledged. */
async function acknowledged (tally: Tally, more: number): Promise<void> {
  for (const wanted = total(tally) + more; total(tally) < wanted;) await sleep(5)
}

/** Writes that were acknowledged. */
export function total ({ acknowledged }: Tally): number {
  return [...acknowledged.values()].reduce((sum, count) => sum + count, 0)
}
