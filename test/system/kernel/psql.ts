import pg from 'pg'
import { openEmbedded } from '../../../src/database/connection/embedded.ts'
import { parsers } from '../../../src/database/connection/postgres-sql.ts'
import type { Row } from '../../../src/database/connection/sql.ts'
import { superuserOptions } from '../../support/trial/superuser.ts'
import type { Place } from '../../support/process.ts'

/** Runs a statement as superuser, without row-level security. */
export type Psql = (text: string, values?: unknown[]) => Promise<Row[]>

/** Runs `work` on the place's database as superuser. An embedded database must not be open elsewhere. */
export async function looking<T> ({ dataDir, env }: Pick<Place, 'dataDir' | 'env'>, work: (psql: Psql) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url } = env
  if (url !== undefined) return await connected(url, work)
  const { pglite, close } = await openEmbedded(dataDir)
  try {
    return await work(async (text, values = []) => (await pglite.query<Row>(text, values)).rows)
  } finally {
    await close()
  }
}

/** Runs `work` on a connection to PostgreSQL, as the user of the URL. Statements run one after the other, each up to 5 min. */
export async function connected<T> (url: string, work: (psql: Psql) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 300_000, options: superuserOptions })
  client.on('error', () => {})
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
  await client.connect()
  let last: Promise<unknown> = Promise.resolve()
  try {
    return await work(async (text, values) => {
      const result = last.catch(() => {}).then(async () => (await client.query(text, values)).rows)
      last = result
      return await result
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** Runs `work` while a database has no connections and refuses new ones. @param work gets a connection to the database `postgres` */
export async function withoutConnections (url: string, work: (admin: Psql) => Promise<unknown>): Promise<void> {
  const admin = new URL(url)
  const name = admin.pathname.slice(1)
  admin.pathname = '/postgres'
  await connected(admin.href, async (psql) => {
    await psql(`alter database ${name} allow_connections false`)
    const sessions = "from pg_stat_activity where datname = $1 and backend_type = 'client backend'"
    await psql(`select pg_terminate_backend(pid, 5000) ${sessions}`, [name])
    await work(psql)
    await psql(`alter database ${name} allow_connections true`)
  })
}
