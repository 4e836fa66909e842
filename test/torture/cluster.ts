import { execFile } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../bench/server.ts'

const execute = promisify(execFile)

/** A PostgreSQL server of a trial's own, that may be stopped, paused and starved. */
export interface Cluster extends AsyncDisposable {
  /** Address of its database `postgres`. */
  url: string
  start: () => Promise<void>
  stop: (mode: 'fast' | 'immediate') => Promise<void>
  /** Stops all its processes where they are. */
  pause: () => void
  resume: () => void
  /** Takes all the room there is on its disk; gives it back. */
  fill: () => void
  empty: () => void
}

/** Where PostgreSQL's own programs are, the newest where there are several; undefined without them. */
export function serverPrograms (): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin/pg_ctl').sort().at(-1)?.replace(/\/pg_ctl$/, '')
}

/** Why this process cannot start a server of its own and mount a small disk for it, or false. */
export const withoutCluster: string | false =
  serverPrograms() === undefined
    ? "PostgreSQL's own programs are not installed"
    : mayMount() ? false : 'a disk of its own is mounted for it, which takes the rights of root'

/** Whether this process has what `mount` asks for (capabilities(7): CAP_SYS_ADMIN is the bit 21); in containers root often has not. */
function mayMount (): boolean {
  try {
    const held = /^CapEff:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
    return process.getuid?.() === 0 && (BigInt(`0x${held}`) >> 21n) % 2n === 1n
  } catch {
    return false
  }
}

/**
 * Starts a PostgreSQL server in a folder of its own, on a small disk in memory. It runs as `postgres`, since it refuses to as root.
 * Nothing is forced to a platter there, and nothing need be: what an end without a checkpoint takes with it is the memory of PostgreSQL's
 * processes, while what they have written stays with the kernel. Only a machine that fails could tell the two apart.
 * @throws {Error} with what {@link withoutCluster} says
 */
export async function makeCluster (diskSize = '200m'): Promise<Cluster> {
  if (withoutCluster !== false) throw new Error(withoutCluster)
  const programs = serverPrograms() as string
  const disk = mkdtempSync(join(tmpdir(), 'obra-cluster-'))
  await execute('mount', ['-t', 'tmpfs', '-o', `size=${diskSize},mode=0777`, 'none', disk])
  chmodSync(disk, 0o777)
  const data = join(disk, 'data')
  const ballast = join(disk, 'ballast')
  const port = await freePort()
  const asPostgres = async (program: string, args: string[]) => await execute('runuser', ['-u', 'postgres', '--', join(programs, program), ...args], { cwd: '/' })

  await asPostgres('initdb', ['-D', data, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--wal-segsize=1'])
  writeFileSync(join(data, 'postgresql.conf'), `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_wal_size = 16MB
min_wal_size = 2MB
max_connections = 60
`, { flag: 'a' })

  const signal = (name: NodeJS.Signals) => {
    const [postmaster] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n') as [string]
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').filter(Boolean)
    for (const pid of [postmaster, ...children].map(Number)) {
      try {
        process.kill(pid, name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
  const start = async () => {
    await asPostgres('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(disk, 'log'), 'start'])
  }
  const stop = async (mode: 'fast' | 'immediate') => {
    await asPostgres('pg_ctl', ['-D', data, '-w', '-m', mode, 'stop'])
  }
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    fill () {
      const { bavail, bsize } = statfsSync(disk)
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    async [Symbol.asyncDispose] () {
      rmSync(ballast, { force: true })
      signal('SIGCONT')
      await stop('immediate').catch(() => {})
      await execute('umount', [disk])
      rmSync(disk, { recursive: true })
    }
  }
}
