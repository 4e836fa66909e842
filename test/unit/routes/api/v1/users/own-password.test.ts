import t from 'tap'
import { demoIds } from '../../../../../support/accounts.ts'
import { invalid, refuses } from '../../../../../support/invalid.ts'
import { atOnce } from '../../../../../support/at-once.ts'
import { buildOn, logIn, openTestDatabase } from '../../../../../support/helper.ts'

const fresh = await openTestDatabase(t)
const database = { ...fresh.database, close: async () => {} } // the servers of the tests share it
const { users } = await demoIds(fresh)
const old = 'demo-obra-1'
const wrong = 'Your old password was entered incorrectly. Please enter it again.'
const unused = 'Send this field only to change your own password.'
const required = 'This field is required.'
const email = 'corporativo@demo.example'
const own = users[email]

t.test('a change of the user\'s own password needs the current one; this session continues and the others end', async (t) => {
  const app = await buildOn(t, database)
  const [here, there] = [await logIn(app, email), await logIn(app, email)]
  for (const [method, body] of [['PATCH', { password: 'contraseña nueva' }], ['PUT', { email, password: 'contraseña nueva' }]] as const) {
    refuses(t, await here.send(method, `users/${own}/`, body), { current_password: [required] })
    refuses(t, await here.send(method, `users/${own}/`, { ...body, current_password: 'contraseña nueva' }), { current_password: [wrong] })
  }
  t.strictSame((await here.send('PATCH', `users/0${own}/`, { password: 'contraseña nueva' })).json(), invalid({ current_password: [required] }), 'with the id in another notation')
  await logIn(app, email)

  const changed = await here.send('PATCH', `users/${own}/`, { password: 'contraseña nueva', current_password: old, nombre: 'Claudia' })
  t.equal(changed.statusCode, 200)
  t.match(changed.json(), { id: own, nombre: 'Claudia' })
  t.notMatch(changed.body, /password|contraseña/)
  t.equal((await here.get('me/')).statusCode, 200)
  t.equal((await here.post('api-token-refresh/', { refresh: here.refresh })).statusCode, 200)
  t.equal((await there.get('me/')).json().code, 'token_not_valid')
  t.equal((await there.post('api-token-refresh/', { refresh: there.refresh })).statusCode, 401)
  await t.rejects(logIn(app, email))
  await logIn(app, email, 'contraseña nueva')
  t.equal((await here.send('PUT', `users/${own}/`, { email, password: old, current_password: 'contraseña nueva' })).statusCode, 200)
})

t.test('all errors are reported together, and the field is refused for other changes', async (t) => {
  const app = await buildOn(t, database)
  const client = await logIn(app, email)
  const auxiliar = users['auxiliar@demo.example']
  for (const [id, body, errors] of [
    [own, { password: 'corta', nombre: true }, { password: ['Ensure this field has at least 8 characters.'], nombre: ['Not a valid string.'], current_password: [required] }],
    [own, { password: 'corta', current_password: 'x' }, { password: ['Ensure this field has at least 8 characters.'], current_password: [wrong] }],
    [own, { password: 'contraseña nueva', current_password: true }, { current_password: ['Not a valid string.'] }],
    [own, { password: 'contraseña nueva', current_password: null }, { current_password: ['This field may not be null.'] }],
    [own, { password: null, current_password: old }, { password: ['This field may not be null.'] }],
    [own, { nombre: 'x', current_password: old }, { current_password: [unused] }],
    [auxiliar, { password: 'contraseña nueva', current_password: old }, { current_password: [unused] }],
    [auxiliar, { email: 'nadie', current_password: 'x' }, { email: ['Enter a valid email address.'], current_password: [unused] }]
  ] as Array<[number, object, Record<string, string[]>]>) {
    refuses(t, await client.send('PATCH', `users/${id}/`, body), errors, JSON.stringify(body))
  }
  t.strictSame((await client.send('PATCH', `users/${own}/`, { nombre: 'x', current_password: old }, { 'accept-language': 'es' })).json().errors, { current_password: ['Envíe este campo solo para cambiar su propia contraseña.'] })
  t.strictSame((await client.post('users/', { email: 'n@demo.example', password: 'contraseña nueva', current_password: old })).json(), invalid({ current_password: ['Unknown field.'] }))
  t.equal((await client.send('PATCH', `users/${auxiliar}/`, { password: 'contraseña nueva' })).statusCode, 200, 'another user needs no current password')
  await logIn(app, 'auxiliar@demo.example', 'contraseña nueva')
  await logIn(app, email)
})

t.test('wrong guesses count as failed log-ins', async (t) => {
  const app = await buildOn(t, database, { LOGIN_FAILURES_PER_ACCOUNT: 3 })
  const client = await logIn(app, email)
  const guess = async (current: string, more = {}) => await client.send('PATCH', `users/${own}/`, { password: 'contraseña nueva', current_password: current, ...more })
  t.strictSame([(await guess('a')).statusCode, (await guess('b', { nombre: 1 })).statusCode, (await guess('c', { password: 'x' })).statusCode], [400, 400, 400])
  const refused = await guess(old)
  t.equal(refused.statusCode, 429)
  t.equal(refused.json().code, 'throttled')
  t.match(refused.headers['retry-after'], /^[1-9]\d*$/)
  await t.rejects(logIn(app, email), 'the same limit')
})

t.test('one of several concurrent password changes succeeds', async (t) => {
  const app = await buildOn(t, database, { RATE_LIMIT: 'off' })
  const clients = [await logIn(app, email), await logIn(app, email), await logIn(app, email)]
  const answers = await atOnce([0, 1, 2], async index => index === 2
    ? await clients[2]?.post('me/password/', { current: old, new: 'contraseña 2' })
    : await clients[index]?.send('PATCH', `users/${own}/`, { password: `contraseña ${index}`, current_password: old }))
  const won = answers.filter(([, answer]) => (answer?.statusCode ?? 500) < 300).map(([index]) => index)
  t.equal(won.length, 1)
  for (const [index, answer] of answers) if (index !== won[0]) t.ok([400, 401, 403].includes(answer?.statusCode ?? 0), `${answer?.statusCode}`)
  await logIn(app, email, `contraseña ${won[0]}`)
})
