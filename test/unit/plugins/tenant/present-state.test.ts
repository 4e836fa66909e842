import t from 'tap'
import { buildOn, logIn, openAgain, openTestDatabase } from '../../../support/helper.ts'

t.test('a token refreshed in one server is spent in the other, and its successor is valid there', async (t) => {
  // Embedded, the two servers also share the single connection.
  const fresh = await openTestDatabase(t)
  const servers = [await buildOn(t, { ...fresh.database, close: async () => {} }), await buildOn(t, await openAgain(fresh))] as const
  const { access, refresh } = await logIn(servers[0], 'director@demo.example')
  const [first, second] = await Promise.all(servers.map(async app => await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh }, headers: { authorization: `Bearer ${access}` } })))
  t.equal(first?.statusCode, 200)
  t.strictSame(first?.json(), second?.json(), 'both servers give the same successor')
  for (const app of servers) t.match((await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${first?.json().access}` } })).json(), { email: 'director@demo.example' })
})
