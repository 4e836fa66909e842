import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../../src/trial/random.ts'
import { losses } from './losses.ts'
import type { Psql } from './integrity.ts'
import { emptyTally, type SenderOptions, type Tally } from './sender.ts'
import { Writer } from './writer.ts'

/** The server of a trial. */
export interface Subject {
  /** Scheme, host and port, which may change. */
  origin: () => string
  /** Sends the writers' requests. Default: the global `fetch`. */
  fetch?: SenderOptions['fetch']
  /** Access tokens of Directors, of one company or several. */
  tokens: string[]
  /** Time limit in ms of one request, and of the wait for an acknowledged write while no fault is injected. */
  patience: number
  /** Seed of the writers' choices. Each trial of a process makes different ones. */
  seed: number
}

/** Thrown when no more writes will be acknowledged. */
class Standstill extends Error {}

/** The result of a trial. */
export interface Verdict {
  tally: Tally
  /** Failures, one line each; empty if all is well. */
  lost: string[]
}

let trials = 0

/**
 * Runs writers while a fault is injected, lets them finish, and compares the acknowledged writes with the database.
 * @param writersEach number of writers of each token
 * @param injectFault injects the fault. Its argument waits until this many more writes were acknowledged, and ends the trial with a failure if
 * none will be. When `injectFault` returns, the writers finish: the last request of each is acknowledged.
 * @param look gives access to the database as superuser, after the writers have finished
 */
export async function trial ({ origin, fetch, tokens, patience, seed }: Subject, writersEach: number, injectFault: (written: (more: number) => Promise<void>) => Promise<void>, look: <T>(work: (psql: Psql) => Promise<T>) => Promise<T>): Promise<Verdict> {
  const marker = `T${process.pid}-${++trials}-`
  const abandon = new AbortController()
  const tally = emptyTally()
  const writers = tokens.flatMap((token, company) => Array.from({ length: writersEach }, (_, number) =>
    new Writer(`${marker}${company}-${number}`, { origin, fetch, token, patience, abandoned: abandon.signal, random: randomFrom(seed + trials * 1000 + company * 100 + number) }, tally)))
  let ended = false
  let writing = writers.length
  const written = Promise.all(writers.map(async (writer) => {
    await writer.run(() => ended)
    writing--
  }))
  const failures: string[] = []
  try {
    await injectFault(async more => await acknowledged(tally, more, patience, () => writing > 0))
  } catch (error) {
    abandon.abort()
    if (!(error instanceof Standstill)) throw error
    failures.push(error.message)
  } finally {
    ended = true
    await written
  }
  return { tally, lost: [...failures, ...await look(async psql => await losses(writers, psql, marker))] }
}

/** Waits until this many more writes are acknowledged. @throws {Standstill} if all writers have stopped, or none was acknowledged in `patience` ms */
async function acknowledged (tally: Tally, more: number, patience: number, isWriting: () => boolean): Promise<void> {
  let [before, since] = [total(tally), performance.now()]
  for (const wanted = before + more; total(tally) < wanted; await sleep(5)) {
    if (!isWriting()) throw new Standstill('every writer has stopped')
    if (total(tally) > before) [before, since] = [total(tally), performance.now()]
    if (performance.now() - since > patience) throw new Standstill(`no write was acknowledged for ${patience} ms`)
  }
}

/** Number of acknowledged writes. */
export function total ({ acknowledged }: Tally): number {
  return [...acknowledged.values()].reduce((sum, count) => sum + count, 0)
}
