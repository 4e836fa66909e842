import t from 'tap'
import { unwrap, type Tokens } from 'obra/client'
import { expired } from '../../support/forge.ts'
import { tokensOf } from '../../support/over-http.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { listen } from './server.ts'

const server = await listen(t)
const director = { email: 'director@demo.example', password: demoPassword }
const coordinador = { email: 'coordinador@demo.example', password: demoPassword }
const pair = async ({ email, password } = director) => await tokensOf(server.origin, email, password)
const idOf = async (email: string) => (await server.psql('select id from users where email = $1', [email]))[0]?.['id']

t.test('the client knows its user without a request, and says when it changes', async (t) => {
  const users: Array<number | undefined> = []
  const { obra, sent } = server.client({ tokens: await pair() })
  t.strictSame([obra.user, sent], [await idOf(director.email), []])
  const end = obra.watchUser(() => users.push(obra.user))
  await obra.logIn(coordinador)
  await obra.GET('/api/v1/me/')
  await obra.logOut()
  end()
  await obra.logIn(director)
  t.strictSame(users, [await idOf(coordinador.email), undefined])
  t.equal(server.client().obra.user, undefined, 'before the first log-in')
  t.equal(server.client({ tokens: { access: 'a.?.c', refresh: '' } }).obra.user, undefined)
})

t.test('a request for one user is never sent as another', async (t) => {
  const { obra, sent } = server.client({ tokens: await pair() })
  const user = obra.user as number
  t.match(await unwrap(obra.GET('/api/v1/me/', { fetch: obra.fetchAs(user) })), { id: user })
  const logsIn = obra.logIn(coordinador)
  t.match(await unwrap(obra.GET('/api/v1/me/', { fetch: obra.fetchAs(user) })), { id: user }, 'until the log-in succeeds')
  await logsIn
  await t.rejects(obra.GET('/api/v1/contracts/', { fetch: obra.fetchAs(user) }), { name: 'ObraError', status: 401, code: 'user_changed', errors: {} })
  t.notMatch(sent, [{ path: '/api/v1/contracts/' }])
  t.notOk(sent.some(({ path }) => path === '/api/v1/contracts/'))
})

t.test('tabs that store their tokens in one place share a session: one refresh is enough', async (t) => {
  let stored: Tokens = await pair()
  const options = { tokens: () => stored, onTokens: (tokens: Tokens) => { stored = tokens } }
  stored = { ...stored, access: expired(stored.access) }
  const tabs = [server.client(options), server.client(options)] as const
  await unwrap(tabs[0].obra.GET('/api/v1/me/'))
  // From now on, the first refresh token ends the session.
  await server.psql("update refresh_tokens set spent_at = spent_at - interval '1 hour'")
  t.match(await unwrap(tabs[1].obra.GET('/api/v1/me/')), { email: director.email })
  t.strictSame(tabs.map(({ sent }) => sent.filter(({ path }) => path.endsWith('/api-token-refresh/')).length), [1, 0])
})

t.test('when another tab has logged in as another user, requests of the first one are refused', async (t) => {
  const first = await pair()
  let stored: Tokens = { ...first, access: expired(first.access) }
  const { obra } = server.client({ tokens: () => stored })
  stored = await pair(coordinador)
  await t.rejects(obra.GET('/api/v1/me/'), { code: 'user_changed' })
  t.match(await unwrap(obra.GET('/api/v1/me/')), { email: coordinador.email })
  t.equal(obra.user, await idOf(coordinador.email))
})
