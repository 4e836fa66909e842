import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { SeedSize } from '../cli/seed/seed.ts'
import { runScript } from './child.ts'
import { defaultPostgres, type Options } from './options.ts'
import { superuserOptions } from './superuser.ts'

/** A seeded database of the bench. */
export interface Seeded extends AsyncDisposable {
  /** Kind of the database, for the report. */
  kind: string
  size: SeedSize
  /** Whether several processes can open it. */
  shared: boolean
  /** Environment variables that select it, for the server and the `obra` command. */
  env: Record<string, string>
  /** An access token for the session of each user. They may have expired, see {@link signingKey}. */
  tokens: string[]
}

/** The JWT secret of the bench's servers, which listen on loopback only. */
export const signingKey = 'signs tokens of the bench, on loopback, alone'

const full: SeedSize = { companies: 200, contracts: 500_000, users: 1000 }
const small: SeedSize = { companies: 20, contracts: 10_000, users: 100 }
const seedSeconds = 150
const seedOf = (own: string, { companies, contracts, users }: SeedSize, layout: Options['layout']) => `${own}_seed_${companies}_${contracts}_${users}_${layout}`

/** A seeded template database. Each server gets a fresh copy, one at a time. */
export interface Seed extends AsyncDisposable {
  copy: () => Promise<Seeded>
}

/** Folder of the tokens of seeded databases. */
const results = join(import.meta.dirname, '../../bench/results')

/** Selects the kind of database. */
type Kind = Pick<Options, 'embedded' | 'keep' | 'layout'>

/** Creates and seeds a database: on PostgreSQL if it answers and `embedded` is not set, else embedded. @param url of the PostgreSQL; by default that of {@link findPostgres} */
export async function makeDatabase (options: Kind, own = 'obra_bench', size = full, url?: string): Promise<Seeded> {
  const admin = options.embedded ? undefined : url ?? await findPostgres()
  if (admin === undefined) return await onEmbedded(own)
  await using seed = await seedPostgres(admin, options, own, size)
  return await seed.copy()
}

/** Seeds a PostgreSQL database for several servers. @throws {Error} if PostgreSQL does not answer */
export async function makeSeed (options: Kind, own = 'obra_bench', size = full): Promise<Seed> {
  const admin = options.embedded ? undefined : await findPostgres()
  if (admin === undefined) throw new Error('no PostgreSQL answers: see --help')
  return await seedPostgres(admin, options, own, size)
}

/** The URL of a PostgreSQL: DATABASE_URL, which must answer, or the default one if it answers. */
export async function findPostgres (): Promise<string | undefined> {
  const url = process.env['DATABASE_URL'] || defaultPostgres
  try {
    await asAdmin(url, async () => {})
    return url
  } catch (error) {
    if (url === process.env['DATABASE_URL']) throw new Error('the PostgreSQL of DATABASE_URL does not answer', { cause: error })
    return undefined
  }
}

async function seedPostgres (admin: string, { keep, layout }: Kind, own: string, size: SeedSize): Promise<Seed> {
  const seed = seedOf(own, size, layout)
  const tokensFile = join(results, `${seed}.tokens`)
  const drop = (name: string) => `drop database if exists ${name} with (force)`
  const env = (name: string) => ({ DATABASE_URL: withName(admin, name), JWT_SECRET: signingKey })

  const kept = keep && existsSync(tokensFile) &&
    await asAdmin(admin, async client => (await client.query('select from pg_database where datname = $1', [seed])).rowCount === 1)
  if (!kept) {
    rmSync(tokensFile, { force: true })
    await asAdmin(admin, drop(seed), `create database ${seed}`)
    await fill(env(seed), size, tokensFile)
    if (layout === 'clustered') {
      await asAdmin(withName(admin, seed), 'cluster contracts using contracts_company_id_unique', 'cluster contrapartes using contrapartes_company_id_unique')
    }
    // Vacuums now, so that autovacuum does not run during the measurements.
    await asAdmin(withName(admin, seed), 'vacuum (analyze)')
  }
  const kind = await versionOf(admin)
  return {
    async copy () {
      await asAdmin(admin, drop(own), `create database ${own} template ${seed} strategy file_copy`)
      return {
        kind: `PostgreSQL ${kind}, rows ${layout}`,
        size,
        shared: true,
        env: env(own),
        tokens: readTokens(tokensFile),
        [Symbol.asyncDispose]: async () => await asAdmin(admin, drop(own))
      }
    },
    async [Symbol.asyncDispose] () {
      if (keep) return
      rmSync(tokensFile, { force: true })
      await asAdmin(admin, drop(seed))
    }
  }
}

async function onEmbedded (own: string): Promise<Seeded> {
  const folder = mkdtempSync(join(tmpdir(), `${own}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const env = { DATABASE_URL: 'embedded', DATA_DIR: join(folder, 'data'), JWT_SECRET: signingKey }
  const tokensFile = join(folder, 'tokens')
  await fill(env, small, tokensFile)
  return { kind: 'embedded (PGlite)', size: small, shared: false, env, tokens: readTokens(tokensFile), [Symbol.asyncDispose]: async () => remove() }
}

/** Migrates and seeds a database; writes one access token per user to a file. */
export async function fill (env: Record<string, string>, { companies, contracts, users }: SeedSize, tokensFile: string): Promise<void> {
  mkdirSync(results, { recursive: true })
  await runScript('src/cli/obra.ts', ['migrate'], env, 60)
  const size = ['--companies', companies, '--contracts', contracts, '--users', users].map(String)
  await runScript('src/cli/obra.ts', ['seed', ...size, '--tokens', tokensFile], env, seedSeconds)
}

/** Reads a file of access tokens, one per line. */
export function readTokens (file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}

/** A PostgreSQL URL with another database name. */
export function withName (url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** The version of PostgreSQL. */
export async function versionOf (admin: string): Promise<string> {
  return await asAdmin(admin, async client => (await client.query('show server_version')).rows[0].server_version as string)
}

/** Runs statements, or a function, on a separate connection. */
export async function asAdmin (url: string, ...statements: string[]): Promise<void>
export async function asAdmin<T> (url: string, work: (client: pg.Client) => Promise<T>): Promise<T>
export async function asAdmin (url: string, ...todo: Array<string | ((client: pg.Client) => Promise<unknown>)>): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000, statement_timeout: 120_000, options: superuserOptions })
  await client.connect()
  try {
    let result: unknown
    for (const one of todo) result = await (typeof one === 'string' ? client.query(one) : one(client))
    return result
  } finally {
    await client.end()
  }
}
