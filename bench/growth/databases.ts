import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asAdmin, fill, findPostgres, readTokens, signingKey, withName } from '../database.ts'
import { plantTree } from './tree.ts'

/** A database with one company, and nobody else's data in it. */
export interface Grown {
  /** Contracts of the company. */
  size: number
  url: string
  /** What has the server use it. */
  env: Record<string, string>
  /** The token of the company's one user; it may have run out. */
  token: string
}

/** Contracts of the tree that the largest company has. */
export const treeSize = 10_000

/**
 * Seeds a database for each size, or takes those that were kept. Each size has its own: in one that all shared, the small company's
 * index entries would lie in the large one's indexes and its plans be made from the large one's statistics.
 * @returns what the databases run on, and they themselves, dropped at the end unless they are to be kept
 */
export async function growDatabases (sizes: number[], keep: boolean, say: (line: string) => void) {
  const admin = await findPostgres()
  if (admin === undefined) throw new Error('no PostgreSQL answers; name one in DATABASE_URL')
  // A page that is not among PostgreSQL's own is read from the operating system: random requests to the larger companies show it.
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
        if (size === sizes.at(-1) && size > treeSize) await asAdmin(url, plantTree)
        // So that autovacuum finds nothing to do while requests are measured.
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
