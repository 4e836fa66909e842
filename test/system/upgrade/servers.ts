import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../../src/trial/server.ts'
import { withoutTap } from '../../support/process.ts'
import type { Release } from './releases.ts'

const run = promisify(execFile)
const patience = 180_000

/** A server process of a release. */
export interface ReleaseServer extends AsyncDisposable {
  release: Release
  origin: string
  /** Ends it by SIGTERM. @returns its exit code */
  stop: () => Promise<number | null>
}

/** Variables of all servers and commands of a trial, as in production behind a proxy. */
export function variablesOf (databaseUrl: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    JWT_SECRET: 'a secret of the trial of upgrades, 32 bytes or more',
    WEBHOOK_KEY: 'a key of the trial of upgrades, 32 bytes or more',
    PUBLIC_URL: 'http://obra.test',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn'
  }
}

/** Runs the `obra` command of a release. @throws {Error} with its output */
export async function obraOf ({ dir }: Release, args: string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await run(...withoutTap(process.execPath, [join(dir, 'src/cli/obra.ts'), ...args]), { cwd: dir, env })
  return stdout.trim()
}

/** Starts a server of a release, and waits until its readiness probe is answered with 200. */
export async function startRelease (release: Release, env: Record<string, string>): Promise<ReleaseServer> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(...withoutTap(process.execPath, [join(release.dir, 'src/server.ts')]), { cwd: release.dir, env: { ...env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => { output = (output + text).slice(-4000) })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return (await exited)[0]
  }
  for (const late = performance.now() + patience; !await isReady(origin); await sleep(50)) {
    if (child.exitCode === null && performance.now() < late) continue
    await end('SIGKILL')
    throw new Error(`the server of ${release.commit} does not start: ${output}`)
  }
  return { release, origin, stop: async () => await end('SIGTERM'), async [Symbol.asyncDispose] () { await end('SIGKILL') } }
}

async function isReady (origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/health/ready/`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
