import { pick, type Random } from '../../../src/trial/random.ts'
import type { Report, Stage, Tracked } from './checker.ts'
import type { Connection } from './connection.ts'
import { partyName, type Ledger, type Raised } from './ledger.ts'
import { count, type Read, type Reader } from './reader.ts'

/** Options of an actor: one member of a company who reads and writes. */
export interface ActorOptions {
  ledger: Ledger
  memory: Reader
  headers: Record<string, string>
  /** The id of the counterparty that is renamed; only the first actor of the company renames it. */
  party: number
  /** All contracts that writers change, in the order of `-folio`. */
  contracts: Tracked[]
  /** The contracts that this actor changes. */
  own: Tracked[]
  connections: Connection[]
  psql: Stage['psql']
  report: Report
  random: Random
  writes: number
  number: number
}

const pageSize = 10
const narrow = 'fields=id,company,monto,contraparte'

/** An actor that reads, sometimes writes, and then reads the written records on any server. @returns a function that runs the next step */
export function actor ({ ledger, memory, headers, party, contracts, own, connections, psql, report, random, writes, number }: ActorOptions): () => Promise<void> {
  let value = 0
  let made = 0
  const living: number[] = []
  const ids = contracts.map(({ id }) => id)
  const half = Math.ceil(ids.length / 2)
  const numbers = own.map(({ id }) => ledger.raised.get(id) as Raised)
  const chance = (percent: number) => random() * 100 < percent

  const list = (query: string) => `/api/v1/contracts/?${query}`
  const record = (id: number): Read => ({ kind: 'record', path: `/api/v1/contracts/${id}/`, record: id })
  const all: Read = { kind: 'list', path: list(`ordering=-folio&page_size=${ids.length}`), ids }
  const first: Read = { kind: 'list', path: list(`ordering=-folio&page_size=${half}&${narrow}`), ids: ids.slice(0, half) }
  const newest: Read = { kind: 'list', path: list(`ordering=-id&page_size=${pageSize}&${narrow}`), newest: pageSize }
  const oldest: Read = { kind: 'list', path: '/api/v1/contracts/' }

  async function read (one: Read): Promise<string | undefined> {
    return await memory(pick(connections, random), headers, one, chance(50))
  }

  async function readSomething (): Promise<void> {
    const some = random()
    if (some < 0.4) await read(record(pick(contracts, random).id))
    else if (some < 0.55) await read(all)
    else if (some < 0.7) await read(newest)
    else if (some < 0.8) await read(oldest)
    else if (some < 0.85 && living.length > 0) await read(record(pick(living, random)))
    else if (some < 0.87) await filtered()
    else await pages()
  }

  async function filtered (): Promise<void> {
    const { id, folio } = pick(contracts, random)
    await read({ kind: 'filter', path: list(`folio=${folio}`), ids: [id], count: 1 })
  }

  async function pages (): Promise<void> {
    const next = await read(first)
    if (next !== undefined) await read({ kind: 'next page', path: next, ids: ids.slice(half, 2 * half) })
  }

  async function send (method: string, path: string, body?: unknown): Promise<any> {
    const { origin, send } = pick(connections, random)
    const answer = await send(method, `/api/v1/${path}`, headers, body)
    if (answer.status >= 300) throw new Error(`${origin} ${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`)
    return answer.body === '' ? undefined : JSON.parse(answer.body)
  }

  const amount = () => `${value}.00`
  const seen = async () => await read(chance(50) ? record(pick(own, random).id) : all)

  /** The kinds of writes. Each announces the write to the ledger, sends it, acknowledges it in the ledger, and reads. */
  const kinds: Record<string, () => Promise<unknown>> = {
    async update () {
      const [{ id }] = own as [Tracked]
      const done = ledger.raise(numbers.slice(0, 1), ++value)
      await send('PATCH', `contracts/${id}/`, { monto: amount() })
      done()
      return await read(record(id))
    },
    async 'bulk upsert' () {
      const done = ledger.raise(numbers, ++value)
      const items = own.map(({ folio }) => ({ folio, external_id: folio, monto: amount(), contraparte: party }))
      await send('POST', 'contracts/bulk/', { items, upsert: 'external_id' })
      done()
      return await seen()
    },
    async 'psql update' () {
      const done = ledger.raise(numbers, ++value)
      await psql('update contracts set monto = $1 where id = any($2::int[])', [amount(), own.map(({ id }) => id)])
      done()
      return await seen()
    },
    async 'update of the counterparty' () {
      const done = ledger.raise([ledger.party], ++value)
      await send('PATCH', `contrapartes/${party}/`, { nombre: partyName(ledger.company, value) })
      done()
      return await seen()
    },
    async create () {
      const done = ledger.create(1)
      const { id } = await send('POST', 'contracts/', { folio: `AAAA-${number}-${++made}` })
      done([id])
      living.push(id)
      return await read(chance(50) ? newest : record(id))
    },
    async 'bulk create' () {
      const done = ledger.create(2)
      const { results } = await send('POST', 'contracts/bulk/', { items: [{ folio: `AAAA-${number}-${++made}` }, { folio: `AAAA-${number}-${++made}` }] })
      const created = results.map(({ id }: Tracked) => id)
      done(created)
      living.push(...created)
      return await read(newest)
    },
    async delete () {
      const id = living.shift() as number
      const done = ledger.remove(id)
      await send('DELETE', `contracts/${id}/`)
      done()
      return await read(chance(50) ? newest : record(id))
    },
    async 'psql delete' () {
      const id = living.shift() as number
      const done = ledger.remove(id)
      await psql('delete from contracts where id = $1', [id])
      done()
      return await read(chance(50) ? newest : record(id))
    }
  }

  // Equal numbers of creates and deletes keep the company's size constant.
  const cycle = ['update', 'create', 'psql update', 'bulk create', number === 0 ? 'update of the counterparty' : 'update', 'delete', 'bulk upsert', 'psql delete', 'delete']
  let step = 0
  async function write (): Promise<void> {
    const kind = cycle[step++ % cycle.length] as string
    await kinds[kind]?.()
    count(report.writes, kind)
  }

  return async () => await (chance(writes) ? write() : readSomething())
}
