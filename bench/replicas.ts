import { setTimeout as sleep } from 'node:timers/promises'
import { readData } from '../test/support/trial/data.ts'
import { makeDatabase, withName } from '../test/support/trial/database.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { freePort } from '../test/support/trial/server.ts'
import { randomFrom } from '../test/support/trial/random.ts'
import { makeCluster } from '../test/support/trial/cluster.ts'
import { readsByServer } from '../test/support/trial/replicated.ts'
import { Caller } from './caller.ts'
import { withFlags } from './flags.ts'
import { measure } from './load.ts'
import { print, Report } from './report.ts'
import { median } from '../test/support/trial/percentile.ts'

const help = `node bench/replicas.ts [options]

Reads lists without a page cache through a server with 0, 1 and 2 replicas alternately, on PostgreSQL servers of its own, with one write per
company every 2.5 s. Prints reads per second, the primary's CPU time per read, and the share of reads that replicas answered. Needs root.

  --seconds N   length of each measurement (10)
  --rounds N    measurements of each (3)
`

const size = { companies: 20, contracts: 20_000, users: 20 }
const connections = 32
/** Time in ms between two writes of a company. */
const writeInterval = 2500

interface Sample {
  rate: number
  /** CPU time of the primary per read, in µs. */
  cpu: number
  /** Share of the reads that replicas answered. */
  share: number
}

async function run (seconds: number, rounds: number): Promise<void> {
  await using primary = await makeCluster('1g')
  await using database = await makeDatabase({}, 'obra_replicas', size, primary.url)
  await using first = await makeCluster('1g', primary.url)
  await using second = await makeCluster('1g', primary.url)
  const name = new URL(database.env['DATABASE_URL']).pathname.slice(1)
  const urls = [first, second].map(({ url }) => withName(url, name))

  const report = new Report('replicas', database.kind)
  const samples = new Map<number, Sample[]>([[0, []], [1, []], [2, []]])
  for (let round = 0; round < rounds; round++) {
    for (const [count, results] of samples) {
      const port = String(await freePort())
      const replicas: Record<string, string> = count === 0 ? {} : { DATABASE_REPLICAS: urls.slice(0, count).join() }
      await using server = await startObra(database, { ...replicas, PAGE_CACHE_MB: '0', METRICS_PORT: port })
      const { users } = await readData(server.url, database.tokens)
      const paths = ['contracts/', 'contracts/?page=5', 'contracts/?ordering=-monto', 'contracts/?page_size=50', 'contrapartes/']
      const calls = users.flatMap(({ headers }) => paths.map(path => ({ path: `/api/v1/${path}`, headers })))
      const ended = new AbortController()
      const writing = Promise.all(users.map(async (user, index) => await write(new Caller(server, user), index, ended.signal)))
      const [readsBefore, cpuBefore] = [await readsByServer([port]), primary.cpu()]
      const load = { calls, status: 200, connections, duration: seconds, random: randomFrom(round) }
      const { requests, rate, errors, firstError } = await measure(server, load)
      const [readsAfter, cpuAfter] = [await readsByServer([port]), primary.cpu()]
      ended.abort()
      await writing
      if (errors > 0) throw new Error(firstError)
      const answered = [...readsAfter].map(([name, reads]) => [name, reads - (readsBefore.get(name) ?? 0)] as const)
      const all = answered.reduce((sum, [, reads]) => sum + reads, 0)
      const onPrimary = new Map(answered).get('primary') ?? 0
      const sample = { rate, cpu: (cpuAfter - cpuBefore) * 1e6 / requests, share: count === 0 ? 0 : 1 - onPrimary / all }
      results.push(sample)
      report.add(nameOf(count), figuresOf(sample))
    }
  }
  print('medians', '')
  for (const [count, results] of samples) {
    const middle = (figure: keyof Sample) => median(results.map(sample => sample[figure]))
    report.add(nameOf(count), figuresOf({ rate: middle('rate'), cpu: middle('cpu'), share: middle('share') }))
  }
  report.keep()
}

const nameOf = (count: number) => count === 1 ? '1 replica' : `${count} replicas`
const figuresOf = ({ rate, cpu, share }: Sample) => ({ 'reads/s': rate, 'µs per read': cpu, '% from replicas': share * 100 })

/** Changes a record of the user's company in intervals, until the signal is aborted. */
async function write (caller: Caller, index: number, signal: AbortSignal): Promise<void> {
  await sleep(index * writeInterval / size.users, undefined, { signal }).catch(() => {})
  for (let n = 0; !signal.aborted; n++) {
    await caller.post('contrapartes/', { nombre: `Réplica ${Date.now()} ${index} ${n}` })
    await sleep(writeInterval, undefined, { signal }).catch(() => {})
  }
}

await withFlags(help, { seconds: [10, 600], rounds: [3, 100] }, [], async ({ seconds, rounds }) => await run(seconds, rounds))
