import { asAdmin, fillPostgres, findPostgres, type Filled } from '../../src/trial/database.ts'
import { makeTree } from './tree.ts'

/** A database with a single company, and a single user. */
export interface Grown extends Filled {
  /** Number of contracts of the company. */
  size: number
}

/** Number of contracts in the tree of the largest company. */
export const treeSize = 10_000

const kindOfServer = `
  select format('PostgreSQL %s, shared_buffers %s', current_setting('server_version'), current_setting('shared_buffers')) as kind`

/**
 * Seeds a database for each size, or reuses a kept one. In a shared database, the small company's index entries would lie in
 * the large one's indexes, and its plans would use the large one's statistics.
 * @returns the kind of database, and the databases, which are dropped at the end unless `keep` is set
 */
export async function growDatabases (sizes: number[], keep: boolean, say: (line: string) => void) {
  const admin = await findPostgres()
  if (admin === undefined) throw new Error('no PostgreSQL answers: set DATABASE_URL')
  // The report shows shared_buffers: random requests to larger companies read pages from the operating system if they do not fit.
  const kind = await asAdmin(admin, async client => (await client.query<{ kind: string }>(kindOfServer)).rows[0].kind)
  const grown: Grown[] = []
  const dispose = async () => {
    if (!keep) for (const { drop } of grown) await drop()
  }
  try {
    for (const size of sizes) {
      say(`database of ${size} contracts`)
      const database = await fillPostgres(admin, `obra_growth_${size}`, { companies: 1, contracts: size, users: 1 }, keep, async (url) => {
        if (size === sizes.at(-1) && size > treeSize) await asAdmin(url, makeTree)
        // Vacuums now, so that autovacuum does not run during the measurements. Servers analyze by themselves.
        await asAdmin(url, 'vacuum (analyze)')
      })
      grown.push({ size, ...database })
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { kind, grown, [Symbol.asyncDispose]: dispose }
}
