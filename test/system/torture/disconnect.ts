import pg from 'pg'

/** Runs `work` while a database has no connections and refuses new ones. @param work gets a connection to the database `postgres` */
export async function withoutConnections (url: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new URL(url)
  const name = admin.pathname.slice(1)
  admin.pathname = '/postgres'
  const client = new pg.Client({ connectionString: admin.href })
  await client.connect()
  try {
    await client.query(`alter database ${name} allow_connections false`)
    await client.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and backend_type = 'client backend'", [name])
    await work(client)
    await client.query(`alter database ${name} allow_connections true`)
  } finally {
    await client.end()
  }
}
