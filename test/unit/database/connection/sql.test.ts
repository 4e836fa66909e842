import pg from 'pg'
import t from 'tap'
import { isDataError, isUnavailable, sqlState } from '../../../../src/database/connection/sql-errors.ts'
import { parsers, postgresSql } from '../../../../src/database/connection/postgres-sql.ts'
import { server } from '../../../support/template.ts'

const failure = (code: unknown) => Object.assign(new Error('failed'), { code })

t.test('PostgreSQL error codes are distinguished from those of the operating system and libraries', async (t) => {
  for (const code of ['40001', '40P01', '23505', 'P0001', 'XX000', '0A000', '57P01']) t.equal(sqlState(failure(code)), code)
  for (const code of ['EPIPE', 'EPERM', 'EBUSY', 'ECONNRESET', 'ECONNREFUSED', 'ERR_X', '', 40001, undefined, null]) t.equal(sqlState(failure(code)), undefined, String(code))
  for (const error of [undefined, null, 'text', 7]) t.equal(sqlState(error), undefined)
})

t.test('a data error is an invalid value, a violated constraint or too many rows', async (t) => {
  for (const code of ['22003', '22P02', '23502', '23503', '23505', '23514', '21000']) t.equal(isDataError(failure(code)), true, code)
  for (const code of ['40001', '42501', '42P01', '53300', '57P01', '25P02', 'EPIPE', undefined]) t.equal(isDataError(failure(code)), false, String(code))
})

t.test('an internal error that ends the session means unavailable, one of a statement does not', async (t) => {
  const full = Object.assign(new Error('could not write init file'), { code: 'XX000', severity: 'FATAL' })
  t.equal(isUnavailable(full), true, 'a connection refused on a full disk too')
  t.equal(isUnavailable(Object.assign(new Error('failed'), { cause: full })), true)
  t.equal(isUnavailable(Object.assign(new Error('cache lookup failed'), { code: 'XX000', severity: 'ERROR' })), false)
  t.equal(isUnavailable(Object.assign(new Error('password authentication failed'), { code: '28P01', severity: 'FATAL' })), false)
})

t.test('a session that was idle for too long in a transaction means unavailable, a failed transaction does not', async (t) => {
  for (const code of ['25P03', '57P01', '55P03', '25006']) t.equal(isUnavailable(failure(code)), true, code)
  for (const code of ['25P01', '25P02', '23505']) t.equal(isUnavailable(failure(code)), false, code)
})

t.test('timestamps have one format, with any number of trailing zeros', async (t) => {
  const instant = parsers[1184]
  t.equal(instant?.('2026-03-01 15:04:05.123456+00'), '2026-03-01T15:04:05.123456Z')
  t.equal(instant?.('2026-03-01 15:04:05.26+00'), '2026-03-01T15:04:05.260000Z')
  t.equal(instant?.('2026-03-01 15:04:05+00'), '2026-03-01T15:04:05.000000Z')
})

t.test('a connection that PostgreSQL ends is not used again', { skip: server === undefined && 'it needs PostgreSQL: DATABASE_URL is not set' }, async (t) => {
  const pool = new pg.Pool({ connectionString: server, max: 1 })
  pool.on('error', () => {})
  t.teardown(async () => await pool.end())
  const sql = postgresSql(pool, error => error)
  const ended = sql.query({ text: 'select pg_terminate_backend(pg_backend_pid())', values: [] })
  const next = sql.query({ text: 'select 1 as one', values: [] })
  await t.rejects(ended, { code: '57P01' })
  t.same(await next, [{ one: 1 }])
})
