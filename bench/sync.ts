import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createObraClient } from 'obra/client'
import { memoryStorage, openStore } from 'obra/client/sync'
import { readData, renewed, type User } from '../test/support/trial/data.ts'
import { makeDatabase } from '../test/support/trial/database.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import type { Server } from '../test/support/trial/server.ts'
import { Caller } from './caller.ts'
import { withFlags } from './flags.ts'
import { quantiles, Report } from './report.ts'

const help = `node bench/sync.ts [options]

Prints the figures of offline sync: the time of a first synchronization, the bytes of one change, the time until a waiting client has the
answer after a write, through the same and another process, and the time of 200 mutations. Exits with 1 if an answer is wrong.

  --rounds N   measurements of each figure (100)
  --embedded   use the embedded database, without the second process
`

/** Records of the company of the measurements, about. */
const records = 10_000
/** Mutations in a request. */
const mutations = 200

/** The bytes of an answer with its headers. */
async function wireBytes (caller: Caller, path: string, encoding: string): Promise<number> {
  const socket = await caller.open(path, { 'Accept-Encoding': encoding, Connection: 'close' })
  socket.resume()
  await once(socket, 'close')
  return socket.bytesRead
}

/** The first synchronization of a new store. @returns ms and number of records */
async function firstSync (server: Server, { headers }: User): Promise<[time: number, records: number]> {
  const tokens = { access: headers.authorization.replace('Bearer ', ''), refresh: '' }
  const client = createObraClient({ baseUrl: server.url, tokens })
  const store = await openStore({ client, storage: memoryStorage() })
  const began = performance.now()
  await store.sync()
  const time = performance.now() - began
  const collections = [store.contrapartes, store.contracts, store.estimates]
  const lists = await Promise.all(collections.map(async collection => (await collection.list()).length))
  await store.close()
  return [time, lists.reduce((sum, length) => sum + length)]
}

/**
 * Lets a request wait for each of some writes.
 * @returns times in ms from the writer's answer to that of the waiting request; 0 if it came first
 */
async function notices (waiter: Caller, writer: Caller, rounds: number, name: string): Promise<number[]> {
  let cursor = await waiter.end()
  return await times(rounds, async (round) => {
    const folio = `${name}-${round}`
    const waiting = waiter.get(`changes/?cursor=${cursor}`, { prefer: 'wait=30' }).then(page => ({ page, at: performance.now() }))
    await sleep(30 + Math.random() * 200)
    await writer.post('contracts/', { folio })
    const written = performance.now()
    const { page, at } = await waiting
    const isExpected = page.changes.length === 1 && page.changes[0].record.folio === folio
    if (!isExpected) throw new Error(`the waiting request got ${JSON.stringify(page.changes)}`)
    cursor = page.cursor
    return Math.max(0, at - written)
  })
}

/** Time in ms of a request with mutations. */
async function mutate (caller: Caller, id: number, bodyOf: (number: number) => Record<string, unknown>): Promise<number> {
  const mutation = (number: number) => ({ id: id + number, resource: 'contracts', ...bodyOf(number) })
  const body = { device: crypto.randomUUID(), mutations: Array.from({ length: mutations }, (_, number) => mutation(number)) }
  const began = performance.now()
  const { results } = await caller.post('mutations/', body)
  const failed = results.find(({ status }: { status: number }) => status >= 300)
  if (failed !== undefined) throw new Error(JSON.stringify(failed))
  return performance.now() - began
}

async function times (rounds: number, measure: (round: number) => Promise<number>): Promise<number[]> {
  const found: number[] = []
  for (let round = 0; round < rounds; round++) found.push(await measure(round))
  return found
}

async function sync (rounds: number, embedded: boolean): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({ embedded }, 'obra_sync', { companies: 1, contracts: records, users: 20 }))
  const server = stack.use(await startObra(database))
  const { users } = await readData(server.url, database.tokens.map(token => renewed(token)))
  const [user] = users as [User]
  const caller = new Caller(server, user)
  const report = new Report('sync', database.kind)

  const first: number[] = []
  let count = 0
  for (let round = 0; round < 5; round++) {
    const [time, found] = await firstSync(server, user)
    first.push(time)
    count = found
  }
  report.add('first synchronization', { ...quantiles(first), records: count })

  const cursor = await caller.end()
  await caller.post('contracts/', { folio: 'CAMBIO-1', monto: '1500000.00', descripcion: 'Cimentación del edificio B' })
  for (const encoding of ['zstd', 'br', 'gzip', 'identity']) {
    const bytes = await wireBytes(caller, `changes/?cursor=${cursor}`, encoding)
    report.add(`one change with headers, ${encoding}`, { bytes })
  }

  await notices(caller, caller, 20, 'ANTES')
  report.add('a write is noticed', quantiles(await notices(caller, caller, rounds, 'AVISO')))
  if (database.shared) {
    const other = new Caller(stack.use(await startObra(database)), user)
    report.add('a write of another process', quantiles(await notices(caller, other, rounds, 'OTRO')))
  }

  const created = (round: number, number: number) => ({ op: 'create', body: { folio: `COLA-${round}-${number}`, monto: '100.00' } })
  const creates = await times(10, async round => await mutate(caller, 1, number => created(round, number)))
  report.add(`${mutations} mutations that create`, quantiles(creates))
  const { results: contracts } = await caller.get(`contracts/?page_size=${mutations}&search=COLA`)
  const updates = await times(10, async (round) => {
    const body = { monto: `${round + 200}.00` }
    return await mutate(caller, 1, number => ({ op: 'update', record: contracts[number].id, base: {}, body }))
  })
  report.add(`${mutations} mutations that update`, quantiles(updates))
  report.keep()
}

await withFlags(help, { rounds: [100, 10_000] }, ['embedded'], async ({ rounds, embedded }) => await sync(rounds, embedded))
