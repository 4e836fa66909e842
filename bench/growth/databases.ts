import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asAdmin, fill, findPostgres, readTokens, signingKey, withName } from '../../src/trial/database.ts'
import { makeTree } from './tree.ts'

/** A database with a single company. */
export interface Grown {
  /** Number of contracts of the company. */
  size: number
  url: string
  /** Environment variables that select it, for the server. */
  env: Record<string, string>
  /** The token of the company's only user; it may have expired. */
  token: string
}

/** Number of contracts in the tree of the largest company. */
export const treeSize = 10_000

/**
 * Seeds a database for each size, or reuses a kept one. In a shared database, the small company's index entries would lie in
 * the large one's indexes, and its plans would use the large one's statistics.
 * @returns the kind of database, and the databases, which are dropped at the end unless `keep` is set
 */
export async function growDatabases (sizes: number[], keep: boolean, say: (line: string) => void) {
  const admin = await findPostgres()
  if (admin === undefined) throw new Error('no PostgreSQL answers: set DATABASE_URL')
  // The report shows shared_buffers: random requests to larger companies read pages from the operating system if they do not fit.
  const kind = await asAdmin(admin, async client => (await client.query("select format('PostgreSQL %s, shared_buffers %s', current_setting('server_version'), current_setting('shared_buffers')) as kind")).rows[0].kind as string)
  const grown: Grown[] = []
  const dispose = async () => {
    if (keep) return
    for (const { size } of grown) {
      rmSync(tokensOf(size), { force: true })
      await asAdmin(admin, drop(size))
    }
  }
  try {
    for (const size of sizes) {
      const url = withName(admin, nameOf(size))
      const env = { DATABASE_URL: url, JWT_SECRET: signingKey }
      const kept = keep && existsSync(tokensOf(size)) &&
        await asAdmin(admin, async client => (await client.query('select from pg_database where datname = $1', [nameOf(size)])).rowCount === 1)
      if (!kept) {
        say(`seeding ${size} contracts`)
        rmSync(tokensOf(size), { force: true })
        await asAdmin(admin, drop(size), `create database ${nameOf(size)}`)
        await fill(env, { companies: 1, contracts: size, users: 1 }, tokensOf(size))
        if (size === sizes.at(-1) && size > treeSize) await asAdmin(url, makeTree)
        // Vacuums now, so that autovacuum does not run during the measurements.
        await asAdmin(url, 'vacuum (analyze)')
      }
      grown.push({ size, url, env, token: readTokens(tokensOf(size))[0] as string })
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { kind, grown, [Symbol.asyncDispose]: dispose }
}

const nameOf = (size: number) => `obra_growth_${size}`
const drop = (size: number) => `drop database if exists ${nameOf(size)} with (force)`
const tokensOf = (size: number) => join(import.meta.dirname, '..', 'results', `${nameOf(size)}.tokens`)
