import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom, type Random } from '../../support/trial/random.ts'
import type { Device } from '../../support/device.ts'
import { actorsOf, type ActorOptions } from './actors.ts'
import { audit, copyFaults, storedOf } from './audit.ts'
import { Client, type Exchange } from './client.ts'
import type { Psql } from './psql.ts'
import { Report } from './report.ts'
import { brokenRules } from './rules.ts'
import type { Company } from './writer.ts'

/** The setting of a load. */
export interface LoadOptions extends ActorOptions {
  /** Makes the way in which one actor sends its requests. */
  exchange: (random: Random) => Exchange
  /** The access token of a Director of each company. */
  tokens: readonly string[]
  seed: number
  /** Longest pause in ms between two steps of an actor. Default: none */
  pause?: number
  /** Limit in ms of one request, and of the time without progress. Default: 40 s */
  patience?: number
  /** Whether requests may have no answer, because the server itself is killed. */
  mayLose?: boolean
  /** Gives access to the database as superuser, after the actors have finished. */
  look: <T>(work: (psql: Psql) => Promise<T>) => Promise<T>
}

/** A running load. */
export interface Load {
  report: Report
  /** Waits until a number has grown by this much. @throws {Standstill} if it does not */
  reach: (measure: () => number, more: number) => Promise<void>
  /** Waits until this many more writes are acknowledged. @throws {Standstill} if they are not */
  written: (more: number) => Promise<void>
  /** Compares the database with the acknowledged writes. Faults are in the report. */
  audit: (psql: Psql) => Promise<void>
  /** Lets the actors finish: the last request of each is acknowledged. */
  end: () => Promise<void>
}

/** The result of a load. */
export interface Verdict {
  report: Report
  /** Losses and findings, one line each; empty if all is well. */
  bad: string[]
}

/** Thrown when nothing more will happen. */
class Standstill extends Error {}

let loads = 0

/** Runs `work` while actors read and write, lets them finish, and compares the database with what was acknowledged. */
export async function underLoad (given: LoadOptions, work: (load: Load) => Promise<void>): Promise<Verdict> {
  const { patience = 40_000, look, ...options } = given
  const report = new Report(options.mayLose)
  const abandon = new AbortController()
  const state = { isOver: false, acting: 0 }
  const marker = `T${process.pid}-${String(++loads).padStart(3, '0')}-`
  let clients = 0
  const companies: Array<Company & { device: Device }> = []

  const act = async <T>(actor: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await actor()
    } catch (error) {
      if (!abandon.signal.aborted) report.findings.push((error as Error).message)
      return undefined
    }
  }
  const late = setTimeout(() => { abandon.abort() }, patience)
  const prepared = await Promise.all(options.tokens.map(async (token, index) => await act(async () => {
    const clientOf = () => {
      const random = randomFrom(options.seed + 1000 * loads + ++clients)
      return new Client({ exchange: options.exchange(random), token, report, random, patience, abandoned: abandon.signal })
    }
    const { company, ...steps } = await actorsOf(clientOf, `${marker}${index}-`, report, options)
    companies.push(company)
    return steps
  })))
  clearTimeout(late)
  // Without the records of a company there is nothing to wait for.
  const ready = companies.length === options.tokens.length ? prepared.filter(steps => steps !== undefined) : []
  const repeat = async (step: () => Promise<void>) => {
    await act(async () => {
      while (!state.isOver) {
        await step()
        if (options.pause !== undefined) await sleep(options.pause * Math.random())
      }
    })
  }
  const actors = ready.flatMap(({ actors }) => actors)
  state.acting = actors.length
  const running = Promise.all([
    ...actors.map(async (actor) => {
      await repeat(actor)
      state.acting--
    }),
    ...ready.map(async ({ pull }) => { await repeat(pull) })
  ])

  const reach = async (measure: () => number, more: number) => {
    let [before, since] = [measure(), performance.now()]
    for (const wanted = before + more; measure() < wanted; await sleep(5)) {
      if (state.acting === 0) throw new Standstill('every actor has stopped')
      if (measure() > before) [before, since] = [measure(), performance.now()]
      if (performance.now() - since > patience) throw new Standstill(`nothing was acknowledged for ${patience} ms`)
    }
  }
  const check = async (psql: Psql, hasEnded = false) => {
    for (const { book } of companies) {
      const known = book.known()
      report.findings.push(...audit(book, await storedOf(book, psql), known, hasEnded))
    }
  }
  const end = async () => {
    state.isOver = true
    const late = setTimeout(() => {
      report.findings.push(`the last requests were not acknowledged within ${patience} ms`)
      abandon.abort()
    }, patience)
    await running
    clearTimeout(late)
  }
  try {
    if (state.acting === 0) throw new Standstill(abandon.signal.aborted ? `nothing was acknowledged for ${patience} ms` : 'every actor has stopped')
    await work({ report, reach, written: async more => await reach(() => report.acknowledged.length, more), audit: check, end })
  } catch (error) {
    abandon.abort()
    if (!(error instanceof Standstill)) throw error
    report.findings.unshift(error.message)
  } finally {
    await end()
  }
  const isComplete = report.findings.length === 0
  for (const { device } of isComplete ? companies : []) {
    await device.sync().catch((error) => { report.findings.push(`the change feed: ${error.message}`) })
  }
  const faults = await look(async (psql) => {
    if (!abandon.signal.aborted) await check(psql, isComplete)
    const faults: string[] = []
    for (const { device, book } of isComplete ? companies : []) faults.push(...await copyFaults(device, book.company, psql))
    return [...faults, ...await brokenRules(psql)]
  })
  return { report, bad: [...report.findings, ...faults] }
}
