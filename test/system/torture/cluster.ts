import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../bench/server.ts'

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
export function withoutCluster (): string | false {
  if (serverPrograms() === undefined) return "PostgreSQL's own programs are not installed"
  return mayMount() ? false : 'a disk of its own is mounted for it, which takes the rights of root'
}

const mount = (size: string, folder: string) => ['-t', 'tmpfs', '-o', `size=${size},mode=0777`, 'none', folder]

/** Whether this process may mount a disk, which only trying it tells: containers refuse it to root in several ways. */
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
 * Starts a PostgreSQL server in a folder of its own, on a small disk in memory. It runs as `postgres`, since it refuses to as root.
 * Nothing is forced to a platter there, and nothing need be: what an end without a checkpoint takes with it is the memory of PostgreSQL's
 * processes, while what they have written stays with the kernel. Only a machine that fails could tell the two apart.
 * @throws {Error} with what {@link withoutCluster} says
 */
export async function makeCluster (diskSize = '200m'): Promise<Cluster> {
  const why = withoutCluster()
  if (why !== false) throw new Error(why)
  const programs = serverPrograms() as string
  // What was begun is undone, the last first, also where the next fails.
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
  undo.defer(async () => {
    try {
      signal('SIGCONT')
    } catch {} // It is stopped already.
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
