import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../../../src/database/connection/sql.ts'
import { serverPrograms, withoutCluster } from '../../support/trial/cluster.ts'
import { connected } from '../kernel/psql.ts'
import { addressOf, install, names, variablesOf } from './files.ts'
import { mend } from './firewall.ts'
import { Machine } from './machine.ts'

/** Programs that the trial needs, and their Debian packages. */
const needed = { '/usr/bin/patroni': 'patroni', '/usr/bin/etcd': 'etcd-server', '/usr/sbin/haproxy': 'haproxy', '/usr/sbin/nft': 'nftables' }

/** Why this process cannot start the stack, or false if it can. */
export function withoutStack (): string | false {
  const missing = Object.entries(needed).flatMap(([file, name]) => existsSync(file) ? [] : [name])
  if (missing.length > 0) return `Debian's ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not installed`
  return withoutCluster()
}

/** The documented stack on this machine: three database machines, and two machines of servers with HAProxy. */
export interface Stack extends AsyncDisposable {
  databases: Machine[]
  /** URL of the primary's database through each HAProxy, for this user. */
  urls: (user: string, password: string, database: string) => string[]
  /** URLs of the database on each database machine. */
  machineUrls: (user: string, password: string, database: string) => string[]
  /** The database machine whose Patroni states that it is the primary, if one answers. */
  leader: () => Promise<Machine | undefined>
  /** Runs statements on the leader's database as superuser. @throws {Error} if there is no leader */
  onLeader: (database: string, ...statements: string[]) => Promise<Row[]>
  /** Waits until a leader has two standbys that follow it, one of them synchronous. @throws {Error} with the logs, after this time in ms */
  healthy: (patience: number) => Promise<void>
  /** The last lines of each Patroni's log. */
  logs: () => string
  /** The password of `postgres`. */
  password: string
}

const userId = (user: string) => Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }))

/** Starts the stack from the files of `docs/deploy/`. */
export async function startStack (): Promise<Stack> {
  const why = withoutStack()
  if (why !== false) throw new Error(why)
  await using undo = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'obra-failover-'))
  undo.defer(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  // The disk needs no durability: killed processes lose nothing that the kernel has.
  const mounted = (name: string, ...how: string[]) => {
    const at = join(folder, name)
    mkdirSync(at)
    execFileSync('mount', [...how, 'none', at])
    undo.defer(() => { execFileSync('umount', [at]) })
    return at
  }
  const disk = mounted('disk', '-t', 'tmpfs', '-o', 'size=6g,mode=0755')
  const groups = mounted('groups', '-t', 'cgroup2')
  const user = userId('postgres')

  const databases = names.map((name, index) => {
    const own = join(disk, name)
    for (const each of [own, join(own, 'etcd'), join(own, 'postgresql')]) {
      mkdirSync(each)
      chownSync(each, user, user)
    }
    const folders = { '/var/lib/etcd/obra': join(own, 'etcd/data'), '/var/lib/postgresql/obra': join(own, 'postgresql'), '/usr/lib/postgresql/15/bin': serverPrograms() as string }
    const config = install('patroni.yml', own, { '/run/postgresql': join(own, 'postgresql') })
    return new Machine(name, addressOf(index + 1), groups, own, {
      etcd: { command: ['/usr/bin/etcd'], env: variablesOf('etcd.env', index + 1, folders), user: 'postgres' },
      patroni: { command: ['/usr/bin/patroni', config], env: variablesOf('patroni.env', index + 1, folders), user: 'postgres' }
    })
  })
  const proxies = [4, 5].map((number) => {
    const own = join(disk, `app${number}`)
    const config = install('haproxy.cfg', own, { 'bind 127.0.0.1': `bind ${addressOf(number)}` })
    return new Machine(`app${number}`, addressOf(number), groups, own, { haproxy: { command: ['/usr/sbin/haproxy', '-db', '-f', config], env: {}, user: 'haproxy' } })
  })
  undo.defer(() => mend())
  for (const machine of [...databases, ...proxies]) {
    undo.use(machine)
    machine.start()
  }

  const { PATRONI_SUPERUSER_PASSWORD: password = '' } = variablesOf('patroni.env', 1, {})
  const leader = async () => {
    const answers = await Promise.all(databases.map(async machine => await isPrimary(machine)))
    return databases[answers.indexOf(true)]
  }
  const onLeader = async (database: string, ...statements: string[]) => {
    const machine = await leader()
    if (machine === undefined) throw new Error('there is no leader')
    return await connected(`postgres://postgres:${password}@${machine.address}/${database}`, async (psql) => {
      let rows: Row[] = []
      for (const statement of statements) rows = await psql(statement)
      return rows
    })
  }
  const state = async () => {
    try {
      const [row] = await onLeader('postgres', `
        select count(*) filter (where state = 'streaming' and application_name in ('${names.join("', '")}'))::int as following,
          count(*) filter (where sync_state = 'sync')::int as synchronous from pg_stat_replication`)
      return JSON.stringify(row)
    } catch (error) {
      return (error as Error).message
    }
  }
  const wanted = JSON.stringify({ following: 2, synchronous: 1 })
  const healthy = async (patience: number) => {
    for (const late = performance.now() + patience; ; await sleep(250)) {
      const seen = await state()
      if (seen === wanted) return
      for (const machine of databases) machine.revive()
      if (performance.now() > late) throw new Error(`the cluster is not healthy after ${patience} ms: ${seen}\n${logs()}`)
    }
  }
  const logs = () => databases.map(machine => `${machine.name}:\n${machine.log('patroni', 8)}`).join('\n')
  const urls = (user: string, password: string, database: string) => [4, 5].map(number => `postgres://${user}:${password}@${addressOf(number)}:5000/${database}`)
  const machineUrls = (user: string, password: string, database: string) => databases.map(({ address }) => `postgres://${user}:${password}@${address}:5432/${database}`)
  await healthy(90_000)
  const all = undo.move()
  return { databases, urls, machineUrls, leader, onLeader, healthy, logs, password, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

async function isPrimary ({ address }: Machine): Promise<boolean> {
  try {
    const response = await fetch(`http://${address}:8008/primary`, { method: 'OPTIONS', signal: AbortSignal.timeout(1000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
