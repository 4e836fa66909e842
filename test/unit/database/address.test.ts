import t from 'tap'
import { openOrm } from '../../../src/server/open-database.ts'

async function optionsOf (url: string, as: 'service' | 'command' = 'service') {
  const orm = await openOrm(url, as)
  const { options } = await orm.em.getConnection().getNativeClient()
  await orm.close(true)
  return options
}

t.test('the TLS and socket options of DATABASE_URL reach the driver', async (t) => {
  t.match(await optionsOf('postgres://ana:a%20b@db.example:5433/obra?sslmode=verify-full'), { host: 'db.example', port: 5433, user: 'ana', password: 'a b', database: 'obra', ssl: {} })
  t.match(await optionsOf('postgres:///obra?host=/run/postgresql'), { host: '/run/postgresql', port: 5432, database: 'obra' })
  t.notOk((await optionsOf('postgres://db.example/obra')).ssl)
})

t.test('statements have a timeout, and a server has a short lock timeout', async (t) => {
  const options = await optionsOf('postgres://db.example/obra')
  t.match(options.options, /-c role=obra_app .*-c statement_timeout=15000 -c lock_timeout=100 /)
  t.match((await optionsOf('postgres://db.example/obra', 'command')).options, /-c role=obra_app .*-c statement_timeout=15000 -c lock_timeout=10000 /)
  t.match(options, { keepAlive: true })
})
