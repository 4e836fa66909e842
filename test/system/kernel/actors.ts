import { setTimeout as sleep } from 'node:timers/promises'
import { registered } from '../../../src/domain/resources.ts'
import { Device } from '../../support/device.ts'
import { Book } from './book.ts'
import type { Client } from './client.ts'
import type { Psql } from './psql.ts'
import { randomReads, Reader } from './reader.ts'
import type { Report } from './report.ts'
import { writer } from './writer.ts'

/** The setting of the actors of a company. */
export interface ActorOptions {
  /** Actors of each company, who read and write. Default: 4 */
  actors?: number
  /** Percentage of steps that write. Default: 50 */
  writes?: number
  /** Whether other writers change the same records. Their amounts are not changed. */
  isShared?: boolean
  /** The resources that all servers know. Default: all */
  resources?: readonly string[]
  /** Writes to the database without the service, if the database does not fail. */
  psql?: Psql
}

const allResources = registered.map(({ name }) => name)
/** The resources of the writes of works. */
const ofWorks = ['conceptos', 'convenios', 'generadores', 'pagos', 'movimientos', 'programa']
/** Contracts of each actor that are prepared. */
const trackedEach = 2
/** Pause in ms between two complete reads of the change feed. */
const pullPause = 200

/** Prepares the records of a company. @returns the steps that its actors repeat, and the one that pulls the change feed */
export async function actorsOf (clientOf: () => Client, marker: string, report: Report, options: ActorOptions) {
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
  return { company, actors: Array.from({ length: actors }, (_, number) => actor(number)), pull }
}
