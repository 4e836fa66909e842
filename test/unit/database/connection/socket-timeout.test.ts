import pg from 'pg'
import t from 'tap'
import { expectAnswers } from '../../../../src/database/connection/socket-timeout.ts'
import { server } from '../../../support/template.ts'
import { tunnel } from '../../../support/tunnel.ts'

t.test('requests waiting for an unreachable host fail, and later ones use new connections', { skip: server === undefined && 'the embedded database has no host' }, async (t) => {
  const { url, freeze } = await tunnel(t, server as string)
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  let first: pg.Client | undefined
  pool.on('connect', (client) => { first ??= client })
  pool.on('error', () => {})
  t.teardown(async () => await pool.end())

  t.same((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  expectAnswers(first as pg.Client, 300)
  freeze()
  await t.rejects(pool.query('select 2 as two'), { message: 'the database has not answered for 0.3 s', code: 'ETIMEDOUT' })
  t.same((await pool.query('select 3 as three')).rows, [{ three: 3 }])
})
