import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { registered } from '../../../src/domain/resources.ts'
import { superuserOptions } from '../../support/trial/superuser.ts'
import { copyFaults } from '../kernel/audit.ts'
import { underLoad } from '../kernel/load.ts'
import { connected, type Psql } from '../kernel/psql.ts'
import { sum } from '../kernel/report.ts'
import type { SentRequest } from '../kernel/client.ts'
import { Balancer, type Phase } from './balancer.ts'
import { session, waiting, type DeviceScenario, type Scenario } from './clients.ts'
import { thisRelease, type Release } from './releases.ts'
import { obraOf, startRelease, variablesOf, type ReleaseServer } from './servers.ts'

/** Options of a trial. */
export interface UpgradeOptions {
  /** URL of an empty database, as superuser. */
  url: string
  /** Temporary folder. */
  dir: string
  /** The previous release. */
  old: Release
  seed: number
  /** Seconds of each phase. */
  seconds: number
  /** Number of contracts besides the demo data, in {@link companies} companies whose reads are checked. */
  contracts: number
  /** Seconds for which a transaction like that of a backup keeps the migration waiting. */
  held: number
}

/** The result of a trial. */
export interface UpgradeResult {
  phases: Phase[]
  /** Number of steps by client, and of acknowledged writes and checked reads. */
  counts: Record<string, number>
  /** 5xx, wrong answers and lost writes, one line each. */
  faults: string[]
}

const companies = 2
/** Time in ms between a server's last answer and its SIGTERM. A server closes a connection whose next request it has not read yet. */
const drain = 1000

/**
 * Upgrades a database and its servers under load: migrates while two old servers answer, then replaces one after the other. Clients send each
 * request once, in turn to all present servers.
 */
export async function upgrade ({ url, dir, old, seed, seconds, contracts, held }: UpgradeOptions): Promise<UpgradeResult> {
  const env = variablesOf(url)
  await obraOf(old, ['migrate'], env)
  await obraOf(old, ['demo', '--yes'], env)
  const file = join(dir, 'tokens')
  await obraOf(old, ['seed', '--companies', String(companies), '--contracts', String(contracts), '--users', String(companies), '--tokens', file, '--yes'], env)
  const checkedTokens = (await readFile(file, 'utf8')).trim().split('\n')

  await using running = new AsyncDisposableStack()
  const start = async (release: Release) => running.use(await startRelease(release, env))
  const startTwo = async (release: Release) => await Promise.all([start(release), start(release)])
  const olds = await startTwo(old)
  const balancer = new Balancer()
  balancer.route(...olds)
  balancer.begin('start')
  const clients = await clientsOf(balancer)
  const [, ...devices] = clients

  let isOver = false
  const faults: string[] = []
  const phase = async (name: string, work?: () => Promise<void>) => {
    balancer.begin(name)
    await work?.()
    await sleep(seconds * 1000)
    await balancer.answered()
  }
  // The balancer has no more requests for it, as after the reload of a proxy.
  const stop = async (server: ReleaseServer) => {
    await balancer.drained(server)
    await sleep(drain)
    const code = await server.stop()
    if (code !== 0) faults.push(`a server ended with ${code} after SIGTERM`)
  }
  const look = async <T>(work: (psql: Psql) => Promise<T>) => await connected(url, work)

  const options = { exchange: () => async (request: SentRequest) => await balancer.exchange(request), tokens: checkedTokens, seed, actors: 2, writes: 30, resources: await knownTo(balancer, checkedTokens[0]) }
  const { report, bad } = await look(async psql => await underLoad({ ...options, psql, look }, async () => {
    const working = Promise.all(clients.map(async client => await repeat(client, faults, () => isOver)))
    try {
      await phase('two old servers')
      await phase('migration, two old servers', async () => await migrate(url, env, held))
      balancer.begin('two old servers, migrated')
      // Opens the database as a starting server does.
      await obraOf(old, ['create-customer', 'Después de la migración'], env)
      const [first, second] = await startTwo(thisRelease)
      balancer.route(...olds, first)
      await phase('two old servers, one new')
      balancer.route(olds[1], first)
      await phase('one old server, one new', async () => await stop(olds[0]))
      balancer.route(olds[1], first, second)
      await phase('one old server, two new')
      balancer.route(first, second)
      await phase('two new servers', async () => await stop(olds[1]))
    } finally {
      isOver = true
      await working
    }
  }))
  balancer.end()

  for (const { device } of devices) await device.sync().catch(({ message }) => { faults.push(`a device, at the end: ${message}`) })
  faults.push(...balancer.faults, ...bad, ...await look(async psql => (await Promise.all(devices.map(async one => await deviceFaults(one, psql)))).flat()))
  const counts: Record<string, number> = { writes: sum(report.writes), 'checked reads': sum(report.reads) }
  for (const { name, steps } of clients) counts[name] = (counts[name] ?? 0) + steps
  return { phases: balancer.phases.slice(1), counts, faults }
}

/** Compares the copy of a device with the database. */
async function deviceFaults ({ device, company }: DeviceScenario, psql: Psql): Promise<string[]> {
  const resyncs = device.resyncs.filter(reason => reason !== 'schema').map(reason => `a device had to start again: ${reason}`)
  return [...resyncs, ...await copyFaults(device, company, psql)]
}

/** The resources that the old servers know. */
async function knownTo (balancer: Balancer, token: string): Promise<string[]> {
  const names = registered.map(({ name }) => name)
  const answers = await Promise.all(names.map(async name => await balancer.send(`${name}/?page_size=1`, { token })))
  return names.filter((_, index) => answers[index].status !== 404)
}

async function tokenOf (balancer: Balancer, email: string): Promise<string> {
  return (await balancer.send('api-token-auth/', { method: 'POST', body: { email, password: demoPassword } })).body.access
}

/** The clients of the features that the load does not use: sessions, and requests that wait for changes in a company in which nothing changes. */
async function clientsOf (balancer: Balancer): Promise<[Scenario, ...DeviceScenario[]]> {
  const corporate = await tokenOf(balancer, 'corporativo@demo.example')
  const { companies } = (await balancer.send('me/', { token: corporate })).body as { companies: Array<{ id: number, nombre: string }> }
  const quiet = companies.find(({ nombre }) => nombre === 'Obra Sur')?.id as number
  await balancer.send('me/', { method: 'PATCH', token: corporate, body: { company: quiet } })
  return [session(balancer, 'coordinador@demo.example'), ...[1, 2, 3].map(() => waiting(balancer, corporate, quiet))]
}

async function repeat (client: Scenario, faults: string[], isOver: () => boolean): Promise<void> {
  try {
    while (!isOver()) {
      await client.step()
      client.steps++
    }
  } catch (error) {
    faults.push(`${client.name}: ${(error as Error).message}`)
  }
}

/** Migrates. When the migration first waits for a lock, a transaction like that of a backup holds the tables for some time. */
async function migrate (url: string, env: Record<string, string>, held: number): Promise<void> {
  await using connections = new AsyncDisposableStack()
  const [backup, other] = [1, 2].map(() => new pg.Client({ connectionString: url, options: superuserOptions })) as [pg.Client, pg.Client]
  for (const client of [backup, other]) {
    await client.connect()
    connections.defer(async () => await client.end())
  }
  await backup.query('begin isolation level repeatable read')
  for (const table of ['company_revisions', 'companies', 'contracts', 'changes', 'users']) await backup.query(`select from ${table} limit 1`)

  const migration = new AbortController()
  const migrated = obraOf(thisRelease, ['migrate'], env).finally(() => migration.abort())
  const waiting = "select from pg_locks where not granted and locktype = 'relation' and mode in ('AccessExclusiveLock', 'ShareRowExclusiveLock')"
  while (!migration.signal.aborted && (await other.query(waiting)).rowCount === 0) await sleep(10)
  if (!migration.signal.aborted) await sleep(held * 1000)
  await backup.query('commit')
  await migrated
}
