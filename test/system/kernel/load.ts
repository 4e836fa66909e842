import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom, type Random } from '../../../src/trial/random.ts'
import { registered } from '../../../src/domain/resources.ts'
import { Device } from '../../support/device.ts'
import { audit, copyFaults, storedOf } from './audit.ts'
import { Book } from './book.ts'
import { Client, type Exchange } from './client.ts'
import type { Psql } from './psql.ts'
import { randomReads, Reader } from './reader.ts'
import { Report } from './report.ts'
import { brokenRules } from './rules.ts'
import { writer, type Company } from './writer.ts'

/** The setting of a load. */
export interface LoadOptions {
  /** Makes the way in which one actor sends its requests. */
  exchange: (random: Random) => Exchange
  /** The access token of a Director of each company. */
  tokens: readonly string[]
  seed: number
  /** Actors of each company, who read and write. Default: 4 */
  actors?: number
  /** Percentage of steps that write. Default: 50 */
  writes?: number
  /** Longest pause in ms between two steps of an actor. Default: none */
  pause?: number
  /** Limit in ms of one request, and of the time without progress. Default: 40 s */
  patience?: number
  /** Whether requests may have no answer, because the server itself is killed. */
  mayLose?: boolean
  /** Whether other writers change the same records. Their amounts are not changed. */
  isShared?: boolean
  /** The resources that all servers know. Default: all */
  resources?: readonly string[]
  /** Writes to the database without the service, if the database does not fail. */
  psql?: Psql
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

const allResources = registered.map(({ name }) => name)
/** The resources of the writes of works. */
const ofWorks = ['conceptos', 'convenios', 'generadores', 'pagos']

/** Thrown when nothing more will happen. */
class Standstill extends Error {}

/** Contracts of each actor that are prepared. */
const trackedEach = 2
/** Pause in ms between two complete reads of the change feed. */
const pullPause = 200
let loads = 0

/** Runs `work` while actors read and write, lets them finish, and compares the database with what was acknowledged. */
export async function underLoad (given: LoadOptions, work: (load: Load) => Promise<void>): Promise<Verdict> {
  const { patience = 40_000, look, ...options } = given
  const report = new Report(options.mayLose)
  const abandon = new AbortController()
  const state = { isOver: false, acting: options.tokens.length, ready: 0 }
  const marker = `T${process.pid}-${String(++loads).padStart(3, '0')}-`
  let clients = 0
  const companies: Array<Company & { device: Device }> = []

  const act = async (actor: () => Promise<void>) => {
    try {
      await actor()
    } catch (error) {
      if (!abandon.signal.aborted) report.findings.push((error as Error).message)
    }
  }
  const running = Promise.all(options.tokens.map(async (token, index) => {
    const clientOf = () => {
      const random = randomFrom(options.seed + 1000 * loads + ++clients)
      return new Client({ exchange: options.exchange(random), token, report, random, patience, abandoned: abandon.signal })
    }
    await act(async () => {
      const actors = await assemble(clientOf, `${marker}${index}-`, report, options)
      companies.push(actors.company)
      state.ready++
      state.acting += actors.steps.length
      await Promise.all(actors.steps.map(async (step) => {
        await act(async () => {
          while (!state.isOver) {
            await step()
            if (options.pause !== undefined) await sleep(options.pause * Math.random())
          }
        })
        state.acting--
      }))
    })
    state.acting--
  }))

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
    await reach(() => state.ready, options.tokens.length)
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

/** Prepares the records of a company. @returns the steps that its actors repeat */
async function assemble (clientOf: () => Client, marker: string, report: Report, options: Omit<LoadOptions, 'look'>) {
  const { actors = 4, writes = 50, psql, isShared = false, resources = allResources } = options
  const hasWorks = ofWorks.every(name => resources.includes(name))
  const client = clientOf()
  const { company: id } = (await client.surely('GET', 'me/', { codes: [200] })).answer.body
  const { count } = (await client.surely('GET', 'contracts/?page_size=1', { codes: [200] })).answer.body
  const book = new Book(id, marker, count, isShared)
  const party = await client.create('contrapartes/', { nombre: book.partyName(0) }, `${marker}party`)
  // Their folios come first in `-folio`. The first one is the counter.
  const folios = Array.from({ length: 1 + actors * trackedEach }, (_, index) => `zzzz-${marker}${String(999 - index)}`)
  const items = folios.map(folio => ({ folio, external_id: folio, monto: '0.00', contraparte: party.id }))
  const done = book.create(items.length)
  const { results } = await client.create('contracts/bulk/', { items }, `${marker}contracts`)
  report.found(done(results, true))
  const ids: number[] = results.map(({ id }: { id: number }) => id)
  const device = new Device(async (url) => {
    const { answer } = await client.surely('GET', url, { codes: [200, 410] })
    return { statusCode: answer.status, json: () => answer.body }
  }, resources.join())
  const company = { book, report, ids, folios, counter: ids[0], party: party.id as number, psql, isShared, hasWorks, device }
  const reader = new Reader(book, report)

  const actor = (number: number) => {
    const client = clientOf()
    let made = 0
    const tracked = ids.slice(1 + number * trackedEach, 1 + (number + 1) * trackedEach)
    const own = { number, tracked, living: [] as number[], mark: () => `${marker}${number}-${++made}` }
    const [write, read] = [writer(company, client, own), randomReads(reader, client, { ids, folios, living: own.living })]
    return async () => {
      const written = client.random() * 100 < writes ? await write() : undefined
      if (written === undefined) await read()
      else await reader.read(client, written)
    }
  }
  /** Reads a page of the change feed, and compares the copy with what was acknowledged before. */
  const pull = async () => {
    const known = book.known()
    if (!await device.step()) return
    for (const [id, floor] of known.floors) {
      const monto = device.records.get(`contracts/${id}`)?.['monto']
      if (Number(monto) >= floor || !book.mustBe(id, known)) continue
      report.found(`stale: the change feed shows contract ${id} with ${monto} after ${floor} was acknowledged`)
    }
    await sleep(pullPause)
  }
  return { company, steps: [...Array.from({ length: actors }, (_, number) => actor(number)), pull] }
}
