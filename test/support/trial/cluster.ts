import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cpuOf } from './machine.ts'
import { freePort } from './server.ts'

const execute = promisify(execFile)

/** A PostgreSQL server of a trial, which can be stopped, paused and given a full disk. */
export interface Cluster extends AsyncDisposable {
  /** URL of its database `postgres`. */
  url: string
  start: () => Promise<void>
  stop: (mode: 'fast' | 'immediate') => Promise<void>
  /** Suspends all its processes. */
  pause: () => void
  resume: () => void
  /** CPU time that its processes have used, in seconds. */
  cpu: () => number
  /** Ends the recovery of a replica. */
  promote: () => Promise<void>
  /** Fills its disk. */
  fill: () => void
  empty: () => void
}

/** The folder of PostgreSQL's server programs, the newest version; undefined if none is installed. */
export function serverPrograms (): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin/pg_ctl').sort().at(-1)?.replace(/\/pg_ctl$/, '')
}

/** Why this process cannot start such a server, or false if it can. */
export function withoutCluster (): string | false {
  if (serverPrograms() === undefined) return "PostgreSQL's own programs are not installed"
  return mayMount() ? false : 'it needs root to mount a disk'
}

/** CPU time of a process and of its ended children, in seconds; 0 if it has ended itself. */
function usedBy (pid: number): number {
  try {
    return cpuOf(pid, true)
  } catch {
    return 0
  }
}

const mount = (size: string, folder: string) => ['-t', 'tmpfs', '-o', `size=${size},mode=0777`, 'none', folder]

/** Whether this process may mount a disk. It tries, because containers can refuse this to root in several ways. */
function mayMount (): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'obra-mount-'))
  try {
    execFileSync('mount', mount('64k', folder), { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Starts a PostgreSQL server in its own folder on a small tmpfs. It runs as `postgres`, because PostgreSQL refuses to run as root.
 * The tmpfs has no durable storage and needs none: a crash of PostgreSQL loses only the memory of its processes, and the kernel
 * keeps what they wrote. Only a crash of the machine would make a difference.
 * @param primary URL of the server that it replicates by streaming. Default: a new database cluster
 * @throws {Error} with the text of {@link withoutCluster}
 */
export async function makeCluster (diskSize = '200m', primary?: string): Promise<Cluster> {
  const why = withoutCluster()
  if (why !== false) throw new Error(why)
  const programs = serverPrograms() as string
  // The stack undoes each step in reverse order, even if a later one fails.
  await using undo = new AsyncDisposableStack()
  const disk = mkdtempSync(join(tmpdir(), 'obra-cluster-'))
  undo.defer(() => rmSync(disk, { recursive: true }))
  await execute('mount', mount(diskSize, disk))
  undo.defer(async () => { await execute('umount', [disk]) })
  chmodSync(disk, 0o777)
  const data = join(disk, 'data')
  const ballast = join(disk, 'ballast')
  const port = await freePort()
  const asPostgres = async (program: string, args: string[]) => await execute('runuser', ['-u', 'postgres', '--', join(programs, program), ...args], { cwd: '/' })

  if (primary === undefined) await asPostgres('initdb', ['-D', data, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync', '--wal-segsize=1'])
  else await asPostgres('pg_basebackup', ['-D', data, '-d', primary, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'])
  writeFileSync(join(data, 'postgresql.conf'), `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_wal_size = 16MB
min_wal_size = 2MB
wal_keep_size = 64MB
max_connections = 60
`, { flag: 'a' })

  /** The postmaster, and its children. */
  const processes = () => {
    const [postmaster] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n') as [string]
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').filter(Boolean)
    return [postmaster, ...children].map(Number)
  }
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes()) {
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
  undo.defer(async () => {
    try {
      signal('SIGCONT')
    } catch {} // already stopped
    await stop('immediate').catch(() => {})
  })
  await start()
  const ends = undo.move()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    cpu: () => processes().reduce((sum, pid) => sum + usedBy(pid), 0),
    promote: async () => { await asPostgres('pg_ctl', ['-D', data, '-w', 'promote']) },
    fill () {
      const { bavail, bsize } = statfsSync(disk)
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    [Symbol.asyncDispose]: async () => await ends.disposeAsync()
  }
}
