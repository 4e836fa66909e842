import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withoutTap } from '../../support/process.ts'
import { server, type Process } from '../kernel/process.ts'
import type { Release } from './releases.ts'

const run = promisify(execFile)

/** A server process of a release. */
export interface ReleaseServer extends Pick<Process, 'origin' | 'stop'>, AsyncDisposable {
  release: Release
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

/** Starts a server of a release. */
export async function startRelease (release: Release, env: Record<string, string>): Promise<ReleaseServer> {
  return { release, ...await server({ dir: release.dir, env }, { code: release.dir }) }
}
