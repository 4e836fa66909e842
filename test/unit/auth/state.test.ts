import t from 'tap'
import { randomUUID } from 'node:crypto'
import { readStates } from '../../../src/auth/authority.ts'
import { openTestDatabase } from '../../support/helper.ts'

t.test('the state of a session is the current one in the database', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  let statements = 0
  const readState = readStates({ ...sql, query: async (statement) => { statements++; return await sql.query(statement) } })
  const open = async (email: string) => {
    const sid = randomUUID()
    await psql("insert into sessions (id, user_id, expires_at) select $1, id, clock_timestamp() + interval '1 day' from users where email = $2", [sid, email])
    return sid
  }
  const [director, otra, soporte, none] = await Promise.all(['director@demo.example', 'director@otra.example', 'soporte@demo.example', 'sincompania@demo.example'].map(open)) as [string, string, string, string]

  await t.test('concurrent reads share a statement; each gets its own session, an unknown one undefined', async (t) => {
    const unknown = randomUUID()
    const states = await Promise.all([director, otra, unknown, soporte, none, director].map(readState))
    t.equal(statements, 1)
    t.match(states[0], { live: true, active: true, company: { account: null, membership: 3 } })
    t.match(states[1], { live: true, active: true, company: { membership: 3 } })
    t.not(states[0]?.company?.id, states[1]?.company?.id)
    t.not(states[0]?.company?.customer, states[1]?.company?.customer)
    t.equal(states[2], undefined)
    t.match([states[3], states[4]], [{ live: true, company: null }, { live: true, company: null }])
    t.same(states[5], states[0])
  })

  await t.test('is read again for a request that arrives while a read is in progress', async (t) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const read = readStates({
      ...sql,
      async query (statement) {
        const rows = await sql.query(statement)
        reach()
        await held
        return rows
      }
    })
    const first = read(otra)
    await reached
    await psql("update users set nivel_acceso = 4 where email = 'director@otra.example'")
    const again = read(otra)
    release()
    t.match(await Promise.all([first, again]), [{ account: null }, { account: 4 }])
    await psql("update users set nivel_acceso = null where email = 'director@otra.example'")
  })
})
