import t from 'tap'
import { build, logIn } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'

const { app, as, psql } = await build(t)
const set = async (email: string, activo: boolean) => await psql('update users set activo = $2 where email = $1', [email, activo])

t.test('a deactivated user is refused immediately on every route, and activation restores no session', async (t) => {
  const email = 'director@demo.example'
  const [first, second] = [await as(email), await as(email)]
  t.equal((await first.get('contracts/')).statusCode, 200)
  await set(email, false)

  for (const path of ['contracts/', 'me/', 'contracts/0/', 'nothing/']) {
    const response = await first.get(path)
    t.equal(response.statusCode, 401, path)
    t.equal(response.headers['www-authenticate'], 'Bearer realm="api"', path)
    t.strictSame(response.json(), { detail: 'User is inactive', code: 'user_inactive' }, path)
  }
  t.equal((await first.get('me/', { 'accept-language': 'es' })).json().detail, 'El usuario está inactivo')
  t.equal((await first.post('api-token-refresh/', { refresh: first.refresh })).json().code, 'user_inactive')
  t.equal((await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email, password: 'demo-obra-1' } })).json().code, 'no_active_account')

  await set(email, true)
  for (const client of [first, second]) {
    t.match((await client.get('me/')).json(), { code: 'token_not_valid', messages: [{ message: 'Token is blacklisted' }] })
    t.equal((await client.post('api-token-refresh/', { refresh: client.refresh })).statusCode, 401)
  }
  t.equal((await (await as(email)).get('me/')).statusCode, 200, 'a new log-in works')
})

t.test('a log-in concurrent with a deactivation leaves no session for the time after activation', async (t) => {
  const email = 'corporativo@demo.example'
  const live = async () => (await psql('select from sessions s join users u on u.id = s.user_id where u.email = $1 and s.revoked_at is null', [email])).length
  if (server === undefined) {
    // A single connection: one of them completes before the other starts.
    await Promise.allSettled([as(email), set(email, false)])
    await set(email, true)
    t.equal(await live(), 0)
    return
  }
  await psql('begin')
  await set(email, false)
  const progress = { over: false }
  const attempt = logIn(app, email).then(() => 'in', () => 'refused').finally(() => { progress.over = true })
  // The log-in runs until it waits for the deactivation, or until it completes.
  const waits = async () => (await psql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length > 0
  while (!progress.over && !await waits());
  await psql('commit')
  t.equal(await attempt, 'refused')
  await set(email, true)
  t.equal(await live(), 0)
})

t.test('a write that waits for the company’s lock fails if its user is deactivated', { skip: server === undefined && 'the embedded database has one connection' }, async (t) => {
  const email = 'coordinador@demo.example'
  const coordinador = await as(email)
  await psql('begin')
  await psql('select from company_revisions for update')
  const progress = { over: false }
  const writes = [coordinador.post('contracts/', { folio: 'DESPUES' }), coordinador.post('contracts/', { folio: 'DESPUES' }, { 'idempotency-key': 'despues' })]
  Promise.allSettled(writes).finally(() => { progress.over = true })
  while (!progress.over && (await psql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length === 0);
  await set(email, false)
  await psql('commit')
  for (const answer of await Promise.all(writes)) {
    t.equal(answer.statusCode, 401)
    t.strictSame(answer.json(), { detail: 'User is inactive', code: 'user_inactive' })
  }
  t.strictSame(await psql("select from contracts where folio = 'DESPUES'"), [])
})
