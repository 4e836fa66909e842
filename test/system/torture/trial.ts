import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../support/random.ts'
import { losses } from './losses.ts'
import type { Psql } from './integrity.ts'
import { emptyTally, Writer, type Tally } from './writer.ts'

/** A server that a trial lets writers loose on. */
export interface Subject {
  /** Scheme, host and port, which may change. */
  origin: () => string
  /** Access tokens of Directors, of one company or of several. */
  tokens: string[]
  /** Milliseconds that one request may take to its answer; and the first acknowledgement, while nothing is done to the server. */
  patience: number
  /** What the writers' choices begin with; another trial of the same process makes others. */
  seed: number
}

/** Why nobody waits for more acknowledgements: none are to come. */
class Standstill extends Error {}

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
 * @param torment what is done; it can wait until so many more writes were acknowledged, and is broken off there when none are to come, which is told in the verdict. The writers end when it has, and the last request of each was acknowledged
 * @param look gives the superuser's connection, once the writers have ended
 */
export async function trial ({ origin, tokens, patience, seed }: Subject, writersEach: number, torment: (written: (more: number) => Promise<void>) => Promise<void>, look: <T>(work: (psql: Psql) => Promise<T>) => Promise<T>): Promise<Verdict> {
  const marker = `T${process.pid}-${++trials}-`
  const abandon = new AbortController()
  const tally = emptyTally()
  const writers = tokens.flatMap((token, company) => Array.from({ length: writersEach }, (_, number) =>
    new Writer(`${marker}${company}-${number}`, { origin, token, patience, abandoned: abandon.signal, random: randomFrom(seed + trials * 1000 + company * 100 + number) }, tally)))
  let over = false
  let writing = writers.length
  const written = Promise.all(writers.map(async (writer) => {
    await writer.run(() => over)
    writing--
  }))
  const stood: string[] = []
  try {
    await torment(async more => await acknowledged(tally, more, patience, () => writing > 0))
  } catch (error) {
    abandon.abort()
    if (!(error instanceof Standstill)) throw error
    stood.push(error.message)
  } finally {
    over = true
    await written
  }
  return { tally, lost: [...stood, ...await look(async psql => await losses(writers, psql, marker))] }
}

/** Waits until so many more writes were acknowledged. @throws {Standstill} when nobody writes any more, or none was within the patience */
async function acknowledged (tally: Tally, more: number, patience: number, isWriting: () => boolean): Promise<void> {
  let [before, since] = [total(tally), performance.now()]
  for (const wanted = before + more; total(tally) < wanted; await sleep(5)) {
    if (!isWriting()) throw new Standstill('every writer has stopped')
    if (total(tally) > before) [before, since] = [total(tally), performance.now()]
    if (performance.now() - since > patience) throw new Standstill(`no write was acknowledged for ${patience} ms`)
  }
}

/** Writes that were acknowledged. */
export function total ({ acknowledged }: Tally): number {
  return [...acknowledged.values()].reduce((sum, count) => sum + count, 0)
}
