import t from 'tap'
import type { Purpose } from '../../../../src/database/connection/orm.ts'
import { openOrm } from '../../../../src/server/open-database.ts'

async function optionsOf (url: string, as: Purpose = 'service') {
  const orm = await openOrm(url, as)
  const { options } = await orm.em.getConnection().getNativeClient()
  await orm.close(true)
  return options
}

t.test('the TLS and socket options of DATABASE_URL reach the driver', async (t) => {
  t.match(await optionsOf('postgres://ana:a%20b@db.example:5433/obra?sslmode=verify-full'), { host: 'db.example', port: 5433, user: 'ana', password: 'a b', database: 'obra', ssl: Object })
  t.match(await optionsOf('postgres:///obra?host=/run/postgresql'), { host: '/run/postgresql', port: 5432, database: 'obra' })
  t.notOk((await optionsOf('postgres://db.example/obra')).ssl)
})

t.test('connections have no startup options, which poolers drop', async (t) => {
  for (const as of ['service', 'owner'] as const) {
    const options = await optionsOf('postgres://db.example/obra', as)
    t.match(options, { keepAlive: true })
    t.notOk('options' in options)
    t.notOk(Object.keys(options).some(name => name.endsWith('_timeout')))
  }
})
