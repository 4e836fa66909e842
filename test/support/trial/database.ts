import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { SeedSize as SizeWithWorks } from '../../../src/cli/seed/seed.ts'
import { runScript } from './child.ts'
import { defaultPostgres, type Options } from './options.ts'
import { superuserOptions } from './superuser.ts'

/** Numbers of records of a seeded database. Benchmarks make works themselves. */
type SeedSize = Omit<SizeWithWorks, 'works'>

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
const seedSeconds = 600
const seedOf = (own: string, { companies, contracts, users }: SeedSize, layout: Options['layout']) => `${own}_seed_${companies}_${contracts}_${users}_${layout}`

/** A seeded template database. Each server gets a fresh copy. Copies that are used at the same time have different names. */
export interface Seed extends AsyncDisposable {
  copy: (name?: string) => Promise<Seeded>
}

/** Folder of the tokens of seeded databases. */
const results = join(import.meta.dirname, '../../../bench/results')

/** Selects the kind of database. */
type Kind = Partial<Pick<Options, 'embedded' | 'keep' | 'layout'>>

/**
 * Creates and seeds a database: on PostgreSQL if it answers and `embedded` is not set, else embedded.
 * @param size by default a large one on PostgreSQL, and a small one in the embedded database
 * @param url of the PostgreSQL; by default that of {@link findPostgres}
 */
export async function makeDatabase (options: Kind, own = 'obra_bench', size?: SeedSize, url?: string): Promise<Seeded> {
  const admin = options.embedded === true ? undefined : url ?? await findPostgres()
  if (admin === undefined) return await fillEmbedded(own, size)
  await using seed = await seedPostgres(admin, options, own, size ?? full)
  return await seed.copy()
}

/** Seeds a PostgreSQL database for several servers. @throws {Error} if PostgreSQL does not answer */
export async function makeSeed (options: Kind, own = 'obra_bench', size = full): Promise<Seed> {
  const admin = options.embedded === true ? undefined : await findPostgres()
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

/** A seeded PostgreSQL database. */
export interface Filled {
  /** Environment variables that select it. */
  env: { DATABASE_URL: string, JWT_SECRET: string }
  tokens: string[]
  drop: () => Promise<void>
}

/**
 * Creates, migrates and seeds a PostgreSQL database.
 * @param keep whether to reuse it, if it was seeded before
 * @param finish the last step of a new one
 */
export async function fillPostgres (admin: string, name: string, size: SeedSize, keep: boolean, finish: (url: string) => Promise<void>): Promise<Filled> {
  const tokensFile = join(results, `${name}.tokens`)
  const env = { DATABASE_URL: withName(admin, name), JWT_SECRET: signingKey }
  const drop = async () => {
    rmSync(tokensFile, { force: true })
    await asAdmin(admin, `drop database if exists ${name} with (force)`)
  }
  const kept = keep && existsSync(tokensFile) &&
    await asAdmin(admin, async client => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1)
  if (!kept) {
    await drop()
    try {
      await asAdmin(admin, `create database ${name}`)
      await fill(env, size, tokensFile)
      await finish(env.DATABASE_URL)
    } catch (error) {
      await drop()
      throw error
    }
  }
  return { env, tokens: readTokens(tokensFile), drop }
}

async function seedPostgres (admin: string, { keep = false, layout = 'interleaved' }: Kind, own: string, size: SeedSize): Promise<Seed> {
  const seed = seedOf(own, size, layout)
  const { env, tokens, drop } = await fillPostgres(admin, seed, size, keep, async (url) => {
    if (layout === 'clustered') await asAdmin(url, 'cluster contracts using contracts_company_id_unique', 'cluster contrapartes using contrapartes_company_id_unique')
    // Vacuums now, so that autovacuum does not run during the measurements. Servers analyze by themselves.
    await asAdmin(url, 'vacuum (analyze)')
  })
  const kind = `PostgreSQL ${await versionOf(admin)}, rows ${layout}`
  return {
    async copy (name = own) {
      const dropCopy = `drop database if exists ${name} with (force)`
      await asAdmin(admin, dropCopy, `create database ${name} template ${seed} strategy file_copy`)
      return { kind, size, shared: true, env: { ...env, DATABASE_URL: withName(admin, name) }, tokens, [Symbol.asyncDispose]: async () => await asAdmin(admin, dropCopy) }
    },
    async [Symbol.asyncDispose] () {
      if (!keep) await drop()
    }
  }
}

/** Seeds an embedded database in a new folder. */
export async function fillEmbedded (own: string, size = small): Promise<Seeded> {
  const folder = mkdtempSync(join(tmpdir(), `${own}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  const env = { DATABASE_URL: 'embedded', DATA_DIR: join(folder, 'data'), JWT_SECRET: signingKey }
  const tokensFile = join(folder, 'tokens')
  await fill(env, size, tokensFile)
  return { kind: 'embedded (PGlite)', size, shared: false, env, tokens: readTokens(tokensFile), [Symbol.asyncDispose]: async () => remove() }
}

/** Migrates and seeds a database; writes one access token per user to a file. */
async function fill (env: Record<string, string>, { companies, contracts, users }: SeedSize, tokensFile: string): Promise<void> {
  mkdirSync(results, { recursive: true })
  await runScript('src/cli/obra.ts', ['migrate'], env, seedSeconds)
  const size = ['--companies', companies, '--contracts', contracts, '--works', 0, '--users', users].map(String)
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
