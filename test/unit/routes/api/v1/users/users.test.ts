import t from 'tap'
import { absent, demoIds, denied, missing } from '../../../../../support/accounts.ts'
import { invalid, refuses } from '../../../../../support/invalid.ts'
import { build, logIn } from '../../../../../support/helper.ts'

const server = await build(t, { RATE_LIMIT: 'off' })
const { app, as, psql } = server
const { customers, companies, users } = await demoIds(server)
const [own, other] = [customers['Constructora Demo'], customers['Grupo Otra']]
const [root, corporativo, support] = [await as('superusuario@demo.example'), await as('corporativo@demo.example'), await as('soporte@demo.example')]
const password = 'una contraseña'
let made = 0
const body = (more: object = {}) => ({ email: `user-${++made}@demo.example`, password, ...more })

t.test('a user is created, logs in, is read and changed; no answer contains a password', async (t) => {
  const response = await corporativo.post('users/', { email: ' Nueva@Demo.Example ', password: ' con blancos ', nombre: ' Nueva ' })
  t.equal(response.statusCode, 201)
  const user = response.json()
  t.match(user, { email: 'nueva@demo.example', nombre: 'Nueva', customer: own, nivel_acceso: null, activo: true, version: 1 })
  t.strictSame(Object.keys(user), ['id', 'email', 'nombre', 'customer', 'nivel_acceso', 'activo', 'created_at', 'updated_at', 'version'])
  const url = `users/${user.id}/`
  t.equal(response.headers.location, `http://localhost:80/api/v1/${url}`)
  t.strictSame((await support.get(url)).json(), user)
  await logIn(app, 'nueva@demo.example', ' con blancos ')
  await t.rejects(logIn(app, 'nueva@demo.example', 'con blancos'), 'a password is not trimmed')

  t.match((await corporativo.send('PUT', url, { ...user, nombre: 'Otra' })).json(), { nombre: 'Otra', version: 2 })
  await logIn(app, 'nueva@demo.example', ' con blancos ')
  for (const answer of [response, await corporativo.send('PATCH', url, { password: 'otra contraseña' }), await corporativo.get(url), await corporativo.get('users/')]) t.notMatch(answer.body, /argon2|password|contraseña/)
  t.equal((await corporativo.get('users/?fields=password')).statusCode, 400)
  t.equal((await corporativo.get('users/?ordering=password')).statusCode, 400)
})

t.test('all errors are reported together', async (t) => {
  for (const [given, errors] of [
    [{ email: 'nadie', password: 'corta', nombre: true, customer: other, nivel_acceso: 3, activo: 'si', company: 1 }, {
      company: ['Unknown field.'],
      email: ['Enter a valid email address.'],
      password: ['Ensure this field has at least 8 characters.'],
      nombre: ['Not a valid string.'],
      nivel_acceso: ['Ensure this value is greater than or equal to 4.'],
      activo: ['Must be a valid boolean.'],
      customer: absent(other)
    }],
    [body({ email: 'DIRECTOR@otra.example', nivel_acceso: 5, customer: null }), {
      customer: ['This field may not be null.'], nivel_acceso: ['You may not assign a level above your own.'], email: ['This field must be unique.']
    }]
  ] as Array<[object, Record<string, string[]>]>) {
    refuses(t, await corporativo.post('users/', given), errors)
  }
  t.match((await corporativo.post('users/', body({ nivel_acceso: 6 }), { 'accept-language': 'es' })).json().errors, { nivel_acceso: ['Usted no puede asignar un nivel superior al suyo.'] })
})

t.test('an email is unique over all customers, in any case', async (t) => {
  const taken = invalid({ email: ['This field must be unique.'] })
  for (const email of ['director@demo.example', 'Director@Otra.example']) t.strictSame((await corporativo.post('users/', body({ email }))).json(), taken)
  const { id } = (await corporativo.post('users/', body())).json()
  t.strictSame((await corporativo.send('PATCH', `users/${id}/`, { email: 'DIRECTOR@demo.example' })).json(), taken)
  t.equal((await corporativo.send('PATCH', `users/${id}/`, { email: `USER-${made}@demo.example` })).json().version, 1, 'the own email in another case is no change')
})

t.test('a level can be granted up to the caller’s own, and level 4 only with a customer', async (t) => {
  const tooHigh = invalid({ nivel_acceso: ['You may not assign a level above your own.'] })
  const { id } = (await corporativo.post('users/', body({ nivel_acceso: 4 }))).json()
  for (const nivel of [5, 6]) {
    t.strictSame((await corporativo.post('users/', body({ nivel_acceso: nivel }))).json(), tooHigh)
    t.strictSame((await corporativo.send('PATCH', `users/${id}/`, { nivel_acceso: nivel })).json(), tooHigh)
    t.strictSame((await corporativo.send('PATCH', `users/${users['corporativo@demo.example']}/`, { nivel_acceso: nivel })).json(), tooHigh, 'nor to the caller')
    t.equal((await root.post('users/', body({ nivel_acceso: nivel }))).statusCode, 201)
  }
  t.match((await corporativo.send('PATCH', `users/${id}/`, { nivel_acceso: null })).json(), { nivel_acceso: null })

  const needed = invalid({ customer: ['Level 4 requires a customer.'] })
  t.strictSame((await root.post('users/', body({ nivel_acceso: 4 }))).json(), needed)
  t.strictSame((await root.send('PATCH', `users/${id}/`, { nivel_acceso: 4, customer: null })).json(), needed)
  const free = (await root.post('users/', body())).json()
  t.equal(free.customer, null)
  t.strictSame((await root.send('PATCH', `users/${free.id}/`, { nivel_acceso: 4 })).json(), needed)
  t.match((await root.send('PATCH', `users/${free.id}/`, { nivel_acceso: 4, customer: other })).json(), { nivel_acceso: 4, customer: other })
})

t.test('a user of a higher level cannot be changed', async (t) => {
  const { id } = (await root.post('users/', body({ nivel_acceso: 5, customer: own }))).json()
  t.equal((await corporativo.get(`users/${id}/`)).statusCode, 200, 'but read')
  for (const [method, given] of [['PATCH', { nombre: 'x' }], ['PATCH', { password }], ['PATCH', { nivel_acceso: null }], ['PATCH', {}], ['PATCH', { color: 1 }], ['PUT', body()], ['DELETE']] as const) {
    const response = await corporativo.send(method, `users/${id}/`, given)
    t.equal(response.statusCode, 403, `${method} ${JSON.stringify(given)}`)
    t.strictSame(response.json(), denied)
  }
  t.match((await root.get(`users/${id}/`)).json(), { version: 1, activo: true })
})

t.test('a user can move to another customer only if the memberships can', async (t) => {
  const { id } = (await corporativo.post('users/', body())).json()
  await corporativo.post('memberships/', { user: id, company: companies['Obra Norte'], nivel_acceso: 2 })
  t.strictSame((await root.send('PATCH', `users/${id}/`, { customer: other })).json(), invalid({ customer: ['This user has memberships in companies of another customer (1). Remove them first.'] }))
  await root.send('DELETE', `memberships/${(await root.get(`memberships/?user=${id}`)).json().results[0].id}/`)
  t.match((await root.send('PATCH', `users/${id}/`, { customer: other })).json(), { customer: other })
  t.strictSame((await corporativo.get(`users/${id}/`)).json(), missing)
})

t.test('a password change or deactivation by another user ends all sessions, and can be repeated', async (t) => {
  const { id, email } = (await corporativo.post('users/', body())).json()
  const sessions = [await logIn(app, email, password), await logIn(app, email, password)]
  t.equal((await corporativo.send('PATCH', `users/${id}/`, { nombre: 'x' })).statusCode, 200)
  for (const session of sessions) t.equal((await session.get('me/')).statusCode, 200)
  t.equal((await corporativo.send('PATCH', `users/${id}/`, { password: 'otra contraseña' })).statusCode, 200)
  for (const session of sessions) t.equal((await session.get('me/')).json().code, 'token_not_valid')
  await t.rejects(logIn(app, email, password))

  const session = await logIn(app, email, 'otra contraseña')
  for (let time = 1; time <= 2; time++) {
    const response = await corporativo.send('DELETE', `users/${id}/`)
    t.equal(response.statusCode, 204)
    t.equal(response.body, '')
  }
  t.equal((await session.get('me/')).json().code, 'user_inactive')
  t.match((await corporativo.get(`users/${id}/`)).json(), { activo: false, version: 4 }, 'the second time changed nothing')
  await t.rejects(logIn(app, email, 'otra contraseña'))
  await corporativo.send('PATCH', `users/${id}/`, { activo: true })
  t.equal((await session.get('me/')).statusCode, 401)
  await logIn(app, email, 'otra contraseña')
})

t.test('the last active Superusuario cannot be demoted or deactivated', async (t) => {
  await psql('update users set activo = false where nivel_acceso = 6 and email <> $1', ['superusuario@demo.example'])
  const url = `users/${users['superusuario@demo.example']}/`
  const last = ['There must be at least one other active Superusuario.']
  t.strictSame((await root.send('PATCH', url, { activo: false })).json(), invalid({ activo: last }))
  t.strictSame((await root.send('PATCH', url, { nivel_acceso: 5 })).json(), invalid({ nivel_acceso: last }))
  t.strictSame((await root.send('PUT', url, { email: 'superusuario@demo.example', nivel_acceso: null, activo: false })).json(), invalid({ activo: last, nivel_acceso: last }))
  const refused = await root.send('DELETE', url)
  t.equal(refused.statusCode, 409)
  t.strictSame(refused.json(), { detail: last[0], code: 'protected' })
  t.match((await root.send('PATCH', url, { nombre: 'Susana' })).json(), { nombre: 'Susana', activo: true, nivel_acceso: 6 })

  t.equal((await root.post('users/', body({ nivel_acceso: 6 }))).statusCode, 201)
  t.match((await root.send('PATCH', url, { nivel_acceso: 5 })).json(), { nivel_acceso: 5 }, 'with another Superusuario it can')
  t.equal((await root.send('PATCH', url, { nivel_acceso: 6 })).statusCode, 403, 'and cannot raise its own level again')
  await psql('update users set nivel_acceso = 6 where email = $1', ['superusuario@demo.example'])
})
