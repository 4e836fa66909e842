import t from 'tap'
import { demoIds } from '../../../../../support/accounts.ts'
import { build } from '../../../../../support/helper.ts'

t.test('accounts are created once per key', async (t) => {
  const server = await build(t)
  const { as, psql } = server
  const { customers, companies } = await demoIds(server)
  const superusuario = await as('superusuario@demo.example')
  const corporativo = await as('corporativo@demo.example')
  const [{ id: auxiliar }] = await psql("select id from users where email = 'auxiliar@demo.example'") as [{ id: number }]
  const bodies = {
    customers: { nombre: 'Cliente una vez' },
    companies: { nombre: 'Obra una vez', customer: customers['Constructora Demo'] },
    users: { email: 'una.vez@demo.example', password: 'una contraseña larga', customer: customers['Constructora Demo'] },
    memberships: { user: auxiliar, company: companies['Obra Sur'], nivel_acceso: 1 }
  }

  for (const [name, body] of Object.entries(bodies)) {
    const made = await superusuario.post(`${name}/`, body, { 'idempotency-key': 'once' })
    t.equal(made.statusCode, 201, made.body)
    t.equal(made.headers['idempotency-replayed'], undefined)
    const again = await superusuario.post(`${name}/`, body, { 'idempotency-key': 'once' })
    t.match({ status: again.statusCode, body: again.body, location: again.headers['location'], etag: again.headers['etag'], replayed: again.headers['idempotency-replayed'] },
      { status: 201, body: made.body, location: made.headers['location'], etag: made.headers['etag'], replayed: 'true' }, name)
    t.match(made.headers['location'], new RegExp(`/api/v1/${name}/${made.json().id}/$`))
    const [{ count }] = await psql('select count(*)::int as count from idempotency_keys where route like $1', [`/api/v1/${name}%`]) as [{ count: number }]
    t.equal(count, 1, name)
  }

  await t.test('another password is another request; the password is not stored', async (t) => {
    const other = await superusuario.post('users/', { ...bodies.users, password: 'otra contraseña larga' }, { 'idempotency-key': 'once' })
    t.equal(other.statusCode, 422)
    t.match(other.json(), { code: 'idempotency_mismatch' })
    const [{ kept }] = await psql("select string_agg(k::text, ' ') as kept from idempotency_keys k") as [{ kept: string }]
    t.notMatch(kept, /contrase/)
    t.equal((await as('una.vez@demo.example', 'una contraseña larga').then(() => 'in', () => 'refused')), 'in')
  })

  await t.test('refusals are not stored, and a key belongs to its user', async (t) => {
    const key = { 'idempotency-key': 'again' }
    t.equal((await corporativo.post('companies/', { nombre: '' }, key)).statusCode, 400)
    t.equal((await corporativo.post('companies/', { nombre: 'Obra otra vez' }, key)).statusCode, 201)
    const [{ user: id }] = await psql("select user_id as user from idempotency_keys where key = 'again'") as [{ user: number }]
    t.equal(id, (await corporativo.get('me/')).json().id)
    t.equal((await superusuario.post('companies/', { nombre: 'Obra tercera', customer: customers['Constructora Demo'] }, key)).statusCode, 201)
  })

  await t.test('one of several concurrent requests with the same key is executed', async (t) => {
    const answers = await Promise.all(Array.from({ length: 6 }, async () => await corporativo.post('companies/', { nombre: 'Obra a la vez' }, { 'idempotency-key': 'at once' })))
    t.ok(answers.every(({ statusCode }) => statusCode === 201 || statusCode === 409), String(answers.map(({ statusCode }) => statusCode)))
    t.equal(answers.filter(answer => answer.statusCode === 201 && answer.headers['idempotency-replayed'] === undefined).length, 1)
    t.equal((await psql("select from companies where nombre = 'Obra a la vez'")).length, 1)
  })
})
