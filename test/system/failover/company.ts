import { setTimeout as sleep } from 'node:timers/promises'
import type { Device } from '../../support/device.ts'
import { emptyReport } from '../freshness/checker.ts'
import { partyName } from '../freshness/ledger.ts'
import { createReader } from '../freshness/reader.ts'
import { Books } from './books.ts'
import type { ReportingClient } from './client.ts'
import { feed, readings } from './readers.ts'
import type { Report } from './report.ts'
import type { Step, Workload } from './workload.ts'
import { creator, incrementer, keyless, staleWriter, raiser } from './writers.ts'

/** Numbers of actors in each company. */
const size = { raised: 4, incrementers: 2, readers: 3, creators: 2 }

/** Pause between two steps of an actor, in ms. */
const pause = { least: 40, spread: 80 }

/** The company of a trial: its books, and the steps that its actors repeat. */
export interface Company {
  books: Books
  /** Keeps a copy by the change feed. */
  device: Device
  /** Runs all actors until `isOver`. */
  run: (isOver: () => boolean) => Promise<void>
}

/** Prepares the records of a company. @param marker begins the marks of all records @param clientOf gives each actor a client of its own */
export async function assemble (marker: string, clientOf: () => ReportingClient, report: Report): Promise<Company> {
  const client = clientOf()
  const made = async (method: string, path: string, body?: unknown) => {
    const answer = await client.until([200, 201], method, path, { body })
    if (answer === undefined) throw new Error(`${method} ${path} was not answered`)
    return JSON.parse(answer.body)
  }
  const { company } = await made('GET', 'me/')
  const party = await made('POST', 'contrapartes/', { nombre: partyName(company, 0) })
  const items = Array.from({ length: size.raised }, (_, index) => ({ folio: `zzzz-${index}-${marker}`, monto: '0.00', contraparte: party.id }))
  const { results } = await made('POST', 'contracts/bulk/', { items })
  const ids: number[] = results.map(({ id }: { id: number }) => id).reverse()
  const counter = await made('POST', 'contracts/', { folio: `${marker}counter`, monto: '0.00' })
  const main = await made('POST', 'contracts/', { folio: `${marker}main`, monto: '1.00' })
  const { count } = await made('GET', 'contracts/?page_size=1')
  const books = new Books(company, ids, count, counter.id)
  const { ledger } = books
  for (const [mark, id] of [[`${marker}counter`, counter.id], [`${marker}main`, main.id]] as const) books.create(mark, id)
  const found = (fault: string | undefined) => { if (fault !== undefined) report.findings.push(`company ${company}: ${fault}`) }
  let number = 0
  const workload: Workload = { books, report, ids, main: main.id, newMark: () => `${marker}${++number}`, clientOf, found }
  const reader = createReader(ledger, emptyReport(), found)
  const { device, step: pull } = feed(workload)
  const times = (count: number, actor: () => Step) => Array.from({ length: count }, actor)
  const steps = [
    ...ids.map(id => raiser(workload, id)),
    ...times(size.incrementers, () => incrementer(workload)),
    staleWriter(workload),
    ...times(size.creators, () => creator(workload)),
    keyless(workload),
    ...times(size.readers, () => readings(workload, reader)),
    pull
  ]
  return {
    books,
    device,
    async run (isOver) {
      await Promise.all(steps.map(async (step) => {
        while (!isOver()) {
          await step()
          await sleep(pause.least + pause.spread * client.random())
        }
      }))
    }
  }
}
