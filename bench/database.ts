import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { SeedSize } from '../src/cli/seed/seed.ts'
import { runScript } from './child.ts'
import { defaultPostgres, type Options } from './options.ts'

/** A seeded database of the bench's own. */
export interface Seeded extends AsyncDisposable {
  /** What it runs on, for the report. */
  kind: string
  size: SeedSize
  /** Whether several processes may have it open. */
  shared: boolean
  /** What has the server, or the `obra` command, use it. */
  env: Record<string, string>
  /** An access token for each user's live session; they may have run out, see {@link signingKey}. */
  tokens: string[]
}

/** Signs the tokens of the bench's servers, which listen on loopback alone. */
export const signingKey = 'signs tokens of the bench, on loopback, alone'

const full: SeedSize = { companies: 200, contracts: 500_000, users: 1000 }
const small: SeedSize = { companies: 20, contracts: 10_000, users: 100 }
const seedSeconds = 150
const seedOf = (own: string, { companies, contracts, users }: SeedSize, layout: Options['layout']) => `${own}_seed_${companies}_${contracts}_${users}_${layout}`

/** A seeded database that servers get copies of, one at a time: each starts from the same. */
export interface Seed extends AsyncDisposable {
  copy: () => Promise<Seeded>
}

/** What sort of database is wanted. */
type Kind = Pick<Options, 'embedded' | 'keep' | 'layout'>

/** Makes a database anew and seeds it: on PostgreSQL, when it is there and not declined, else on the embedded one. */
export async function makeDatabase (options: Kind, own = 'obra_bench', size = full): Promise<Seeded> {
  const admin = options.embedded ? undefined : await findPostgres()
  if (admin === undefined) return await onEmbedded(own)
  await using seed = await seedPostgres(admin, options, own, size)
  return await seed.copy()
}

/** Seeds a database on PostgreSQL, for several servers. @throws {Error} when it is not there */
export async function makeSeed (options: Kind, own = 'obra_bench', size = full): Promise<Seed> {
  const admin = options.embedded ? undefined : await findPostgres()
  if (admin === undefined) throw new Error('there is no PostgreSQL to run on: see --help')
  return await seedPostgres(admin, options, own, size)
}

/** The PostgreSQL of DATABASE_URL, which must then answer, or the usual one on this machine. */
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
  const tokensFile = join(import.meta.dirname, 'results', `${seed}.tokens`)
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
    // So that autovacuum finds nothing to do while the workloads are measured.
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
  const env = { DATA_DIR: join(folder, 'data'), JWT_SECRET: signingKey }
  const tokensFile = join(folder, 'tokens')
  await fill(env, small, tokensFile)
  return { kind: 'embedded (PGlite)', size: small, shared: false, env, tokens: readTokens(tokensFile), [Symbol.asyncDispose]: async () => remove() }
}

/** Migrates a database and seeds it; writes an access token a user. */
export async function fill (env: Record<string, string>, { companies, contracts, users }: SeedSize, tokensFile: string): Promise<void> {
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  await runScript('src/cli/obra.ts', ['migrate'], env, 60)
  const size = ['--companies', companies, '--contracts', contracts, '--users', users].map(String)
  await runScript('src/cli/obra.ts', ['seed', ...size, '--tokens', tokensFile], env, seedSeconds)
}

/** The access tokens of a file, one a line. */
export function readTokens (file: string): string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}

/** A PostgreSQL URL with another database's name. */
export function withName (url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Which PostgreSQL it is. */
export async function versionOf (admin: string): Promise<string> {
  return await asAdmin(admin, async client => (await client.query('show server_version')).rows[0].server_version as string)
}

/** Runs statements, or work, on a connection of its own. */
export async function asAdmin (url: string, ...statements: string[]): Promise<void>
export async function asAdmin<T> (url: string, work: (client: pg.Client) => Promise<T>): Promise<T>
export async function asAdmin (url: string, ...todo: Array<string | ((client: pg.Client) => Promise<unknown>)>): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000, statement_timeout: 120_000 })
  await client.connect()
  try {
    let result: unknown
    for (const one of todo) result = await (typeof one === 'string' ? client.query(one) : one(client))
    return result
  } finally {
    await client.end()
  }
}
