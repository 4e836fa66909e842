import manifest from '../../../package.json' with { type: 'json' }
import { runScript } from './child.ts'
import type { Seeded } from './database.ts'
import { freePort, startServer, type Server } from './server.ts'

/** Starts Obra as `npm start` does in production, but without rate limits per user and log-in limits per IP address. */
export async function startObra (database: Seeded, env: Record<string, string> = {}): Promise<Server> {
  return await startAsInProduction(database, env)
}

/** Like {@link startObra}, with an inspector for profiling. */
export async function startInspected (database: Seeded, env: Record<string, string>): Promise<Server> {
  const address = `127.0.0.1:${await freePort()}`
  return { ...await startAsInProduction(database, env, `--inspect=${address}`), inspector: `http://${address}` }
}

async function startAsInProduction (database: Seeded, env: Record<string, string>, ...options: string[]): Promise<Server> {
  // A copy of a database has no settings of the login. The embedded database is migrated and has no logins.
  if (database.shared) await runScript('src/cli/obra.ts', ['migrate'], { ...database.env }, 60)
  const [variables, given] = manifest.scripts.start.split(' exec node ').map(words => words.split(' ')) as [string[], string[]]
  const [first, ...rest] = [...options, ...given] as [string, ...string[]]
  const own = Object.fromEntries(variables.map(variable => variable.split('=')))
  return await startServer(first, { ...database.env, ...own, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', ...env }, rest)
}
