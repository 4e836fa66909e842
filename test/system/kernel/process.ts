import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { freePort } from '../../support/trial/server.ts'
import { tokensOf } from '../../support/over-http.ts'
import { root, withoutTap, type Place } from '../../support/process.ts'

const patience = 180_000

/** A server process. Its port stays the same when it is ended and started again. */
export interface Process extends AsyncDisposable {
  origin: string
  /** Starts it again, and waits until it is ready. */
  start: () => Promise<void>
  /** Settles when it is ready after the last start. */
  started: () => Promise<void>
  signal: (name: NodeJS.Signals) => void
  /** Ends it by SIGKILL. */
  kill: () => Promise<void>
  /** Ends it by SIGTERM. @returns its exit code */
  stop: () => Promise<number | null>
}

/** How a server is started. */
interface StartOptions {
  /** Folder of the code. */
  code?: string
  /** Options of Node.js. */
  node?: string[]
  /** Gets everything that it prints. */
  onOutput?: (text: string) => void
}

/** Starts a server of this place, and waits until it is ready. */
export async function server (place: Pick<Place, 'dir' | 'env'>, options: StartOptions = {}): Promise<Process> {
  const { code = root, node = [], onOutput } = options
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const variables = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', RATE_LIMIT: 'off', PORT: String(port), ...place.env }
  let child: ChildProcess
  let output = ''
  let started = Promise.resolve()

  async function launch (): Promise<void> {
    const command = withoutTap(process.execPath, [...node, join(code, 'src/server.ts')])
    child = spawn(...command, { cwd: place.dir, env: variables, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-4000)
        onOutput?.(text)
      })
    }
    for (const late = performance.now() + patience; !await isReady(origin); await sleep(20)) {
      if (child.exitCode === null && performance.now() < late) continue
      child.kill('SIGKILL')
      throw new Error(`the server does not start: ${output}`)
    }
  }
  async function end (signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }
  function start (): Promise<void> {
    started = launch()
    started.catch(() => {})
    return started
  }
  const kill = async () => { await end('SIGKILL') }
  await start()
  const stop = async () => await end('SIGTERM')
  return { origin, start, started: () => started, signal: name => { child.kill(name) }, kill, stop, [Symbol.asyncDispose]: kill }
}

async function isReady (origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/health/ready/`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(patience) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

const directors = ['director@demo.example', 'director@otra.example']

/** Logs in the Directors of the two demo customers. @returns their access tokens */
export async function logIn (origin: string): Promise<string[]> {
  return await Promise.all(directors.map(async email => (await tokensOf(origin, email, demoPassword)).access))
}
