import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { openDatabase, openDatabaseAt, openOrm, settlePlace } from '../../src/server/open-database.ts'
import type { Pending } from '../../src/server/migrate.ts'
import type { Orm } from '../../src/database/connection/orm.ts'
import { loadConfig } from '../../src/config.ts'
import type { Database } from '../../src/database/database.ts'
import { patientCheck } from './patient-check.ts'
import { databaseUrl, dropCopy, lendEmbedded, onServer, server } from './template.ts'

/** An empty database, dropped when the test ends. */
export interface EmptyDatabase {
  /** Variables that name it; empty for the embedded database, which is in memory. */
  env: Record<string, string>
  /** Connected as the future owner of its tables. */
  orm: Orm
  /** Opens it as the service does. */
  open: (pending: Pending) => Promise<Database>
}

/** Creates an empty database. @param owner role to create as its owner; by default the superuser owns it */
export async function openEmptyDatabase (t: Test, owner?: string): Promise<EmptyDatabase> {
  if (server === undefined) {
    const pglite = await lendEmbedded(t, 'empty')
    if (owner !== undefined) {
      await pglite.exec(`create role ${owner} login createrole; grant create on database postgres to ${owner}; grant all on schema public to ${owner}; set session authorization ${owner}`)
    }
    const orm = await openOrm(pglite, 'owner')
    t.teardown(async () => await orm.close(true))
    const open = async (pending: Pending) => {
      await settlePlace(pglite, pending)
      return await openDatabaseAt(pglite, 1)
    }
    return { env: {}, orm, open }
  }
  const name = `obra_test_${randomBytes(6).toString('hex')}`
  await onServer(async (client) => {
    if (owner !== undefined) await client.query(`create role ${owner} login createrole`)
    await client.query(`create database ${name} ${owner === undefined ? '' : `owner ${owner}`}`)
  })
  const url = new URL(databaseUrl(name))
  if (owner !== undefined) url.username = owner
  const env = { DATABASE_URL: url.href }
  const orm = await openOrm(env.DATABASE_URL, 'owner')
  t.teardown(async () => {
    await orm.close(true)
    await dropCopy(name)
    if (owner !== undefined) await onServer(async client => await client.query(`drop role ${owner}`))
  })
  return { env, orm, open: async pending => await openDatabase(loadConfig(env), pending, patientCheck()) }
}
