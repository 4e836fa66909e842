import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { expectAnswers } from '../../../../src/database/connection/socket-timeout.ts'
import { server } from '../../../support/template.ts'

t.test('requests waiting for an unreachable host fail, and later ones use new connections', { skip: server === undefined && 'the embedded database has no host' }, async (t) => {
  const { hostname, port } = new URL(server as string)
  const behind: Socket[] = []
  // Simulates a host without a network: connections stay open, but no data passes.
  const lose = () => { for (const socket of behind) socket.pause() }
  const network = createServer((client) => {
    const database = connect(Number(port || 5432), hostname)
    behind.push(client, database)
    client.on('error', () => database.destroy()).pipe(database).on('error', () => client.destroy()).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(network, 'listening')
  const address = new URL(server as string)
  address.hostname = '127.0.0.1'
  address.port = String((network.address() as AddressInfo).port)

  const pool = new pg.Pool({ connectionString: address.href, max: 1 })
  let first: pg.Client | undefined
  pool.on('connect', (client) => { first ??= client })
  pool.on('error', () => {})
  t.teardown(async () => {
    await pool.end()
    for (const socket of behind) socket.destroy()
    network.close()
  })

  t.same((await pool.query('select 1 as one')).rows, [{ one: 1 }])
  expectAnswers(first as pg.Client, 300)
  lose()
  await t.rejects(pool.query('select 2 as two'), { message: 'the database has not answered for 0.3 s', code: 'ETIMEDOUT' })
  t.same((await pool.query('select 3 as three')).rows, [{ three: 3 }])
})
