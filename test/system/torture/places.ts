import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../src/trial/server.ts'
import { openEmbedded } from '../../../src/database/connection/embedded.ts'
import { parsers } from '../../../src/database/connection/postgres-sql.ts'
import type { Row } from '../../../src/database/connection/sql.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { tokensOf } from '../../support/over-http.ts'
import { withoutTap, type Place } from '../../support/process.ts'
import type { Psql } from './integrity.ts'
import type { Killable } from './kill.ts'
import { superuserOptions } from '../../../src/trial/superuser.ts'

const root = join(import.meta.dirname, '../../..')
const patience = 120_000

/** A server process with a fixed port. */
export interface Process extends Killable, AsyncDisposable {
  signal: (name: NodeJS.Signals) => void
  /** Ends it by SIGTERM. */
  stop: () => Promise<void>
}

/** Starts a server of this place. Its port stays the same when it is killed and restarted. @param options of Node.js @param onOutput gets everything it prints */
export async function server (place: Pick<Place, 'dir' | 'env'>, options: string[] = [], onOutput?: (text: string) => void): Promise<Process> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const variables = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', RATE_LIMIT: 'off', PORT: String(port), ...place.env }
  let child: ChildProcess
  let output = ''

  const start = async () => {
    child = spawn(...withoutTap(process.execPath, [...options, join(root, 'src/server.ts')]), { cwd: place.dir, env: variables, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-4000)
        onOutput?.(text)
      })
    }
    for (const late = performance.now() + patience; !await answers(origin);) {
      if (child.exitCode !== null || performance.now() > late) {
        child.kill('SIGKILL')
        throw new Error(`the server does not start: ${output}`)
      }
      await sleep(20)
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const kill = async () => await end('SIGKILL')
  await start()
  return { origin, start, kill, stop: async () => await end('SIGTERM'), signal: name => { child.kill(name) }, [Symbol.asyncDispose]: kill }
}

async function answers (origin: string): Promise<boolean> {
  try {
    await (await fetch(origin, { signal: AbortSignal.timeout(patience) })).arrayBuffer()
    return true
  } catch {
    return false
  }
}

const directors = ['director@demo.example', 'director@otra.example']

/** Logs in the Directors of the two demo customers. @returns their access tokens */
export async function logIn (origin: string): Promise<string[]> {
  return await Promise.all(directors.map(async email => (await tokensOf(origin, email, demoPassword)).access))
}

/** Runs `work` on the place's database as superuser. An embedded database must not be open elsewhere. */
export async function looking<T> ({ dataDir, env }: Pick<Place, 'dataDir' | 'env'>, work: (psql: Psql) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url } = env
  if (url === undefined) {
    const { pglite, close } = await openEmbedded(dataDir)
    try {
      return await work(async (text, values = []) => (await pglite.query<Row>(text, values)).rows)
    } finally {
      await close()
    }
  }
  const client = new pg.Client({ connectionString: url, options: superuserOptions })
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
  await client.connect()
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows)
  } finally {
    await client.end()
  }
}
