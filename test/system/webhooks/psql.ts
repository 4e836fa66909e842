import pg from 'pg'
import { parsers } from '../../../src/database/connection/postgres-sql.ts'
import type { Psql } from '../torture/integrity.ts'
import { superuserOptions } from '../../../src/trial/superuser.ts'

/** Runs `work` on a connection that can be cut at any time. */
export async function connected<Result> (url: string, work: (psql: Psql) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, options: superuserOptions })
  client.on('error', () => {})
  for (const [oid, parse] of Object.entries(parsers)) client.setTypeParser(Number(oid), parse)
  await client.connect()
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows)
  } finally {
    await client.end().catch(() => {})
  }
}
