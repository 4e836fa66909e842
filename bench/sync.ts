import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createObraClient } from 'obra/client'
import { memoryStorage, openStore } from 'obra/client/sync'
import { readData, renewed, type User } from '../src/trial/data.ts'
import { makeDatabase } from '../src/trial/database.ts'
import { get, jsonOf, send, type Call } from '../src/trial/http.ts'
import { whole } from '../src/trial/options.ts'
import { startObra } from '../src/trial/start-obra.ts'
import type { Server } from '../src/trial/server.ts'

const help = `node bench/sync.ts [options]

Prints the figures of offline sync: the time of a first synchronization, the bytes of one change, the time until a waiting client has the answer
after a write, through the same and another process, and the time of 200 mutations. Exits with 1 if an answer is wrong.

  --rounds N   measurements of each figure (100)
  --embedded   use the embedded database, without the second process
`

/** Records of the company of the measurements, about. */
const records = 10_000
/** Mutations in a request. */
const mutations = 200

/** Requests of a user to a server. */
class Caller {
  readonly #server: Server
  readonly #user: User

  constructor (server: Server, user: User) {
    this.#server = server
    this.#user = user
  }

  async get (path: string, headers: Record<string, string> = {}): Promise<any> {
    return jsonOf(await get(this.#server.url, this.#call(path, headers)))
  }

  /** @throws {Error} with an answer that is not 200 or 201 */
  async post (path: string, body: unknown): Promise<any> {
    const answer = await send(this.#server.url, { ...this.#call(path, { 'content-type': 'application/json' }), method: 'POST', body: JSON.stringify(body) })
    if (answer.status !== 200 && answer.status !== 201) throw new Error(`${path} was answered by ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`)
    return jsonOf(answer)
  }

  /** A cursor at the end of the feed. */
  async end (): Promise<string> {
    let page = await this.get('changes/?page_size=1000')
    while (page.has_more) page = await this.get(`changes/?page_size=1000&cursor=${page.cursor}`)
    return page.cursor
  }

  /** The bytes of an answer with its headers. */
  async wireBytes (path: string, encoding: string): Promise<number> {
    const { hostname, port } = new URL(this.#server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`GET /api/v1/${path} HTTP/1.1\r\nHost: obra.example\r\nAuthorization: ${this.#user.headers.authorization}\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`)
    socket.resume()
    await once(socket, 'close')
    return socket.bytesRead
  }

  #call (path: string, headers: Record<string, string>): Call {
    return { path: `/api/v1/${path}`, headers: { ...this.#user.headers, ...headers } }
  }
}

const report = (what: string, value: string) => process.stdout.write(`${what.padEnd(38)}${value}\n`)

/** Median, 99th percentile and maximum in ms. */
function summary (times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const place = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] as number).toFixed(1)
  return `half ${place(0.5)} ms, 99 % ${place(0.99)} ms, all ${place(1)} ms`
}

/** The first synchronization of a new store. @returns ms and number of records */
async function firstSync (server: Server, { headers }: User): Promise<[time: number, records: number]> {
  const client = createObraClient({ baseUrl: server.url, tokens: { access: headers.authorization.replace('Bearer ', ''), refresh: '' } })
  const store = await openStore({ client, storage: memoryStorage() })
  const began = performance.now()
  await store.sync()
  const time = performance.now() - began
  const lists = await Promise.all([store.contrapartes, store.contracts, store.estimates].map(async collection => (await collection.list()).length))
  await store.close()
  return [time, lists.reduce((sum, length) => sum + length)]
}

/** Lets a request wait for each of some writes. @returns times in ms from the writer's answer to that of the waiting request; 0 if it came first */
async function notices (waiter: Caller, writer: Caller, rounds: number, name: string): Promise<number[]> {
  let cursor = await waiter.end()
  return await times(rounds, async (round) => {
    const folio = `${name}-${round}`
    const waiting = waiter.get(`changes/?cursor=${cursor}`, { prefer: 'wait=30' }).then(page => ({ page, at: performance.now() }))
    await sleep(30 + Math.random() * 200)
    await writer.post('contracts/', { folio })
    const written = performance.now()
    const { page, at } = await waiting
    if (page.changes.length !== 1 || page.changes[0].record.folio !== folio) throw new Error(`the waiting request got ${JSON.stringify(page.changes)}`)
    cursor = page.cursor
    return Math.max(0, at - written)
  })
}

/** Time in ms of a request with mutations. */
async function mutate (caller: Caller, id: number, bodyOf: (number: number) => Record<string, unknown>): Promise<number> {
  const body = { device: crypto.randomUUID(), mutations: Array.from({ length: mutations }, (_, number) => ({ id: id + number, resource: 'contracts', ...bodyOf(number) })) }
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

async function sync (): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' }, embedded: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } } })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const rounds = whole('rounds', values.rounds, 10_000)
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await makeDatabase({ embedded: values.embedded, keep: false, layout: 'interleaved' }, 'obra_sync', { companies: 1, contracts: records, users: 20 }))
  const server = stack.use(await startObra(database))
  const { users } = await readData(server.url, database.tokens.map(token => renewed(token)))
  const [user] = users as [User]
  const caller = new Caller(server, user)
  report('database', database.kind)

  const first: number[] = []
  let count = 0
  for (let round = 0; round < 5; round++) {
    const [time, found] = await firstSync(server, user)
    first.push(time)
    count = found
  }
  report(`first synchronization, ${count} records`, `${summary(first)}; ${(Math.min(...first) / count * 10_000).toFixed(0)} ms per 10,000`)

  const cursor = await caller.end()
  await caller.post('contracts/', { folio: 'CAMBIO-1', monto: '1500000.00', descripcion: 'Cimentación del edificio B' })
  const sizes = await Promise.all(['zstd', 'br', 'gzip', 'identity'].map(async encoding => `${await caller.wireBytes(`changes/?cursor=${cursor}`, encoding)} ${encoding}`))
  report('one change, bytes with headers', sizes.join(', '))

  await notices(caller, caller, 20, 'ANTES')
  report('a write is noticed', summary(await notices(caller, caller, rounds, 'AVISO')))
  if (database.shared) {
    const other = new Caller(stack.use(await startObra(database)), user)
    report('a write of another process', summary(await notices(caller, other, rounds, 'OTRO')))
  }

  const creates = await times(10, async round => await mutate(caller, 1, number => ({ op: 'create', body: { folio: `COLA-${round}-${number}`, monto: '100.00' } })))
  report(`${mutations} mutations that create`, summary(creates))
  const { results: contracts } = await caller.get(`contracts/?page_size=${mutations}&search=COLA`)
  const updates = await times(10, async round => await mutate(caller, 1, number => ({ op: 'update', record: contracts[number].id, base: {}, body: { monto: `${round + 200}.00` } })))
  report(`${mutations} mutations that update`, summary(updates))
}

await sync()
