import t from 'tap'
import { buildOn, logIn, openTestDatabase } from '../../../support/helper.ts'

t.test('the deliverer and the change feed use the same connection', async (t) => {
  const { database } = await openTestDatabase(t)
  const { promise: polled, resolve } = Promise.withResolvers<void>()
  const query: typeof database.sql.query = async (statement) => {
    const rows = await database.sql.query(statement)
    if (statement.text.includes('pg_current_snapshot')) resolve()
    return rows
  }
  const app = await buildOn(t, { ...database, sql: { ...database.sql, query } }, { LOG_LEVEL: 'silent' })
  const director = await logIn(app, 'director@demo.example')
  await app.listen({ port: 0, host: '127.0.0.1' })
  await polled
  t.equal((await director.get('changes/')).statusCode, 200)
})
