import t from 'tap'
import { refuses } from '../../../../../support/invalid.ts'
import { buildOn, logIn, openTestDatabase, type Client } from '../../../../../support/helper.ts'

const fresh = await openTestDatabase(t)
const database = { ...fresh.database, close: async () => {} } // the servers of the tests share it
const old = 'demo-obra-1'
const change = async (client: Client, body: unknown, headers: Record<string, string> = {}) => await client.post('me/password/', body, headers)
const wrong = 'Your old password was entered incorrectly. Please enter it again.'

t.test('the password changes, this session continues and the user’s others end', async (t) => {
  const app = await buildOn(t, database)
  const email = 'director@demo.example'
  const [here, there, otherUser] = [await logIn(app, email), await logIn(app, email), await logIn(app, 'auxiliar@demo.example')]
  const response = await change(here, { current: old, new: ' nueva contraseña ' })
  t.equal(response.statusCode, 204)
  t.equal(response.body, '')
  t.equal((await here.get('me/')).statusCode, 200)
  t.equal((await here.post('api-token-refresh/', { refresh: here.refresh })).statusCode, 200)
  t.equal((await there.get('me/')).json().code, 'token_not_valid')
  t.equal((await there.post('api-token-refresh/', { refresh: there.refresh })).statusCode, 401)
  t.equal((await otherUser.get('me/')).statusCode, 200, 'other users’ sessions continue')
  await t.rejects(logIn(app, email))
  await logIn(app, email, ' nueva contraseña ')
})

t.test('all errors are reported together, and nothing changes', async (t) => {
  const app = await buildOn(t, database)
  const client = await logIn(app, 'coordinador@demo.example')
  const other = await logIn(app, 'coordinador@demo.example')
  for (const [body, errors] of [
    [{}, { current: ['This field is required.'], new: ['This field is required.'] }],
    [{ current: 'x', new: 'corta', nombre: 1 }, { nombre: ['Unknown field.'], new: ['Ensure this field has at least 8 characters.'], current: [wrong] }],
    [{ current: old, new: 'x'.repeat(1025) }, { new: ['Ensure this field has no more than 1024 characters.'] }],
    [{ current: true, new: null }, { current: ['Not a valid string.'], new: ['This field may not be null.'] }],
    [{ current: `${old} `, new: 'otra contraseña' }, { current: [wrong] }],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }]
  ] as Array<[object, Record<string, string[]>]>) {
    refuses(t, await change(client, body), errors)
  }
  t.strictSame((await change(client, { current: 'x', new: 'otra contraseña' }, { 'accept-language': 'es' })).json().errors, { current: ['Su contraseña antigua es incorrecta. Por favor, vuelva a introducirla.'] })
  t.equal((await other.get('me/')).statusCode, 200)
  await logIn(app, 'coordinador@demo.example')
  t.equal((await app.inject({ method: 'POST', url: '/api/v1/me/password/', payload: { current: old, new: 'otra contraseña' } })).statusCode, 401)
})

t.test('wrong guesses count as failed log-ins, so a stolen token cannot test passwords', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 3 })
  const client = await logIn(app, 'auxiliar@demo.example')
  t.equal((await change(client, { current: 'x', new: 'corta' })).statusCode, 400, 'with another error')
  t.equal((await change(client, { current: 'y', new: 'otra contraseña' })).statusCode, 400)
  await t.rejects(logIn(app, 'auxiliar@demo.example', 'z'))
  const refused = await change(client, { current: old, new: 'otra contraseña' })
  t.equal(refused.statusCode, 429)
  t.match(refused.headers['retry-after'], /^[1-9]\d*$/)
  t.equal(refused.json().code, 'throttled')
  await t.rejects(logIn(app, 'auxiliar@demo.example'), 'the same limit')
  t.equal((await (await logIn(app, 'corporativo@demo.example')).get('me/')).statusCode, 200)
})

t.test('one of two concurrent changes of the same password succeeds', async (t) => {
  const app = await buildOn(t, database)
  const [one, two] = [await logIn(app, 'director@otra.example'), await logIn(app, 'director@otra.example')]
  const answers = await Promise.all([change(one, { current: old, new: 'contraseña uno' }), change(two, { current: old, new: 'contraseña dos' })])
  const [winner, loser] = answers[0]?.statusCode === 204 ? [0, 1] : [1, 0]
  t.equal(answers[winner]?.statusCode, 204)
  t.match(answers[loser]?.statusCode, /^40[01]$/)
  await logIn(app, 'director@otra.example', ['contraseña uno', 'contraseña dos'][winner])
  await t.rejects(logIn(app, 'director@otra.example', ['contraseña uno', 'contraseña dos'][loser]))
})

t.test('a log-in with the old password during the change leaves no session', async (t) => {
  const app = await buildOn(t, database, { RATE_LIMIT: 'off', LOGIN_FAILURES_PER_ACCOUNT: 100 })
  const email = 'corporativo@demo.example'
  const passwords = [old, 'otra contraseña', 'y otra contraseña', 'la última contraseña']
  for (const [index, next] of passwords.slice(1).entries()) {
    const present = passwords[index]
    const client = await logIn(app, email, present)
    const [changed, ...racing] = await Promise.all([change(client, { current: present, new: next }), ...Array.from({ length: 6 }, async () => await logIn(app, email, present).catch(() => undefined))])
    t.equal(changed?.statusCode, 204)
    for (const session of racing) if (session !== undefined) t.equal((await session.get('me/')).statusCode, 401)
    t.equal((await client.get('me/')).statusCode, 200)
  }
})
