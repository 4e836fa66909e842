import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { configSchema } from '../../src/config/variables.ts'
import { databaseUrl, dropCopy, embeddedFolder, onServer, server, serverCopy } from './template.ts'

/** The project's folder. */
export const root = join(import.meta.dirname, '../..')

/** The working directory of processes, with `./data` as their DATA_DIR, and the variables that name their database. */
export interface Place {
  dir: string
  dataDir: string
  /** DATABASE_URL of the place's own database; empty for the embedded database, which is in the folder. */
  env: Record<string, string>
}

/** A place without a database; removed after the test. */
export function newFolder (t: Test): Place {
  const dir = mkdtempSync(join(tmpdir(), 'obra-test-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return { dir, dataDir: join(dir, 'data'), env: {} }
}

/** A place whose database does not exist yet (embedded) or is empty (PostgreSQL); removed after the test. */
export async function emptyPlace (t: Test): Promise<Place> {
  const place = newFolder(t)
  if (server === undefined) return place
  const name = `obra_test_${randomBytes(6).toString('hex')}`
  await onServer(async client => await client.query(`create database ${name}`))
  t.teardown(async () => await dropCopy(name))
  return { ...place, env: { DATABASE_URL: databaseUrl(name) } }
}

/** A place with an empty database of either kind; removed after the test. The embedded one is copied, because `initdb` takes seconds. */
export async function barePlace (t: Test): Promise<Place> {
  const place = await emptyPlace(t)
  if (server === undefined) await embeddedFolder(join(place.dataDir, 'pglite'), 'empty')
  return place
}

/** A place whose database is migrated and has the demo data; removed after the test. */
export async function demoPlace (t: Test): Promise<Place> {
  const place = newFolder(t)
  if (server === undefined) {
    mkdirSync(place.dataDir, { mode: 0o700 })
    await embeddedFolder(join(place.dataDir, 'pglite'))
    return place
  }
  const name = await serverCopy()
  t.teardown(async () => await dropCopy(name))
  return { ...place, env: { DATABASE_URL: databaseUrl(name) } }
}

/** Exit code and output of a process. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

type Variables = Record<string, string>

/** The environment of this process without the variables that Obra reads, plus `env`. */
export function environment (env: Variables): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !(name in configSchema.properties))
  return { ...Object.fromEntries(others), NO_COLOR: '1', FORCE_COLOR: '0', ...env }
}

/**
 * Options of Node for processes that tests start. PGlite is a large WebAssembly module; optimizing it costs a process that runs for seconds
 * more than it gains.
 */
export const nodeOptions = ['--liftoff-only']

/**
 * Returns the command without tap's loader, for `spawn` or `execFile`. tap adds its loader to the environment of every process, which costs
 * a short process a third more CPU time.
 */
export function withoutTap (command: string, args: string[]): [string, string[]] {
  return ['env', ['-u', 'NODE_OPTIONS', command, ...args]]
}

function launch (t: Test, command: string, args: string[], env: Variables, dir: string) {
  const child = spawn(...withoutTap(command, command === process.execPath ? [...nodeOptions, ...args] : args), { cwd: dir, env: environment(env), stdio: 'pipe' })
  const ended: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => { ended.stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text: string) => { ended.stderr += text })
  const closed = once(child, 'close').then(([code]) => Object.assign(ended, { code }))
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await closed
  })
  return { child, ended, closed }
}

/** Runs a program until it ends. `input` is its standard input. */
export async function run (t: Test, command: string, args: string[], env: Variables = {}, { dir = root, input = '' } = {}): Promise<Ended> {
  const { child, closed } = launch(t, command, args, env, dir)
  child.stdin.on('error', () => {}).end(input) // the program may end without reading
  return await closed
}

/** Runs the `obra` command in a place. */
export async function obra (t: Test, place: Place, args: string[], env: Variables = {}, input = ''): Promise<Ended> {
  return await run(t, process.execPath, [join(root, 'src/cli/obra.ts'), ...args], { ...place.env, ...env }, { dir: place.dir, input })
}

/** Runs a server that is expected to fail at start. */
export async function refusedStart (t: Test, place: Place, env: Variables): Promise<Ended> {
  return await run(t, process.execPath, [join(root, 'src/server.ts')], { ...place.env, ...env }, { dir: place.dir })
}

/** The command lines of all processes that run in a folder, which every user of the machine can list. Only on Linux. */
export function argumentsIn (dir: string): string[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(dir) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : []
    } catch {
      return [] // the process has ended, or belongs to another user
    }
  })
}

/** A server process that listens. */
export interface Running {
  /** Scheme, host and port. */
  origin: string
  /** Everything it has printed so far. */
  output: () => string
  signal: (signal: NodeJS.Signals) => void
  /** Resolves when it ends. */
  ended: Promise<Ended>
  /** Ends it with SIGTERM. */
  end: () => Promise<Ended>
}

/** Starts a server in a place and waits until it listens. The defaults are a free port and the script of `npm start`. */
export async function startServer (t: Test, place: Place, env: Variables = {}, [script, ...args]: [string, ...string[]] = ['src/server.ts']): Promise<Running> {
  const { child, ended, closed } = launch(t, process.execPath, [join(root, script), ...args], { PORT: '0', ...place.env, ...env }, place.dir)
  // In production the log has the address; otherwise the welcome text, whose last line is the curl command.
  const listening = env['NODE_ENV'] === 'production' ? /Server listening at (http:[^"]+)"/ : /Obra is listening on (\S+)\/api\/v1\/\n[\s\S]*\n {2}curl .*\n/
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const match = listening.exec(ended.stdout)
      if (match !== null) resolve(match[1])
    })
    closed.then(({ stderr }) => reject(new Error(`the server ended: ${stderr}`)))
  })
  const signal = (name: NodeJS.Signals) => { child.kill(name) }
  return {
    origin,
    output: () => ended.stdout + ended.stderr,
    signal,
    ended: closed,
    async end () {
      signal('SIGTERM')
      return await closed
    }
  }
}
