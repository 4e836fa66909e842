import { asAdmin, fillPostgres, findPostgres, type Filled } from '../../test/support/trial/database.ts'

/** A database with a single company, and a single user. */
export interface Grown extends Filled {
  /** Number of the company's records that are measured. */
  size: number
}

/** What the databases have. */
export interface Growing {
  /** The first part of their names. */
  name: string
  /** What the sizes count. */
  many: string
  sizes: number[]
  /** Number of contracts in a company of a size. */
  contractsOf: (size: number) => number
  /** Adds other records to a new database. */
  finish: (url: string, size: number) => Promise<void>
}

const kindOfServer = `
  select format('PostgreSQL %s, shared_buffers %s', current_setting('server_version'), current_setting('shared_buffers')) as kind`

/**
 * Seeds a database for each size, or reuses a kept one. In a shared database, the small company's index entries would lie in
 * the large one's indexes, and its plans would use the large one's statistics.
 * @returns the kind of database, and the databases, which are dropped at the end unless `keep` is set
 */
export async function growDatabases ({ name, many, sizes, contractsOf, finish }: Growing, keep: boolean, say: (line: string) => void) {
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
      say(`database of ${size} ${many}`)
      const seeded = { companies: 1, contracts: contractsOf(size), users: 1 }
      const database = await fillPostgres(admin, `${name}_${size}`, seeded, keep, async (url) => {
        await finish(url, size)
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
