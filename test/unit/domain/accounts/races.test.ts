import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { demoIds } from '../../../support/accounts.ts'
import { buildOn, logIn, openAgain, openTestDatabase, type Client } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'
import { invalid } from '../../../support/invalid.ts'

// Two servers that share only the database. Embedded, they also share its single connection.
const fresh = await openTestDatabase(t)
const { psql } = fresh
const here = await buildOn(t, { ...fresh.database, close: async () => {} }, { RATE_LIMIT: 'off' })
const there = await buildOn(t, await openAgain(fresh), { RATE_LIMIT: 'off' })
const as = async (email: string, app = here) => await logIn(app, email)
const { companies, users } = await demoIds(fresh)
const norte = companies['Obra Norte']
const root = await as('superusuario@demo.example')
const actives = async () => (await psql('select count(*)::int as n from users where activo and nivel_acceso = 6'))[0]?.['n']

async function anotherRoot (email: string): Promise<{ id: number, client: Client }> {
  const { id } = (await root.post('users/', { email, password: 'demo-obra-1', nivel_acceso: 6 })).json()
  return { id, client: await as(email, there) }
}

t.test('one of two Superusuarios who deactivate or demote each other concurrently stays an active Superusuario', async (t) => {
  for (const round of [1, 2, 3, 4]) {
    const other = await anotherRoot(`otro-${round}@demo.example`)
    const me = users['superusuario@demo.example']
    const both = round % 2 === 0
      ? [root.send('DELETE', `users/${other.id}/`), other.client.send('DELETE', `users/${me}/`)]
      : [root.send('PATCH', `users/${other.id}/`, { nivel_acceso: null }), other.client.send('PATCH', `users/${me}/`, { activo: false })]
    const statuses = (await Promise.all(both)).map(({ statusCode }) => statusCode)
    t.equal(statuses.filter(status => status < 300).length, 1, `one succeeded: ${statuses.join(', ')}`)
    t.match(statuses.find(status => status >= 300), /^(400|401|403|409)$/)
    t.equal(await actives(), 1)
    await psql('update users set activo = true, nivel_acceso = 6 where id = $1', [me])
    await psql('update users set activo = false where id = $1', [other.id])
    Object.assign(root, await as('superusuario@demo.example'))
  }
})

t.test('one of four Superusuarios who deactivate themselves concurrently stays active', async (t) => {
  const others = await Promise.all([1, 2, 3].map(async number => await anotherRoot(`propio-${number}@demo.example`)))
  const answers = await Promise.all([...others.map(async ({ id, client }) => await client.send('DELETE', `users/${id}/`)), root.send('DELETE', `users/${users['superusuario@demo.example']}/`)])
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [204, 204, 204, 409])
  t.equal(await actives(), 1)
  await psql("update users set activo = true where email = 'superusuario@demo.example'")
  Object.assign(root, await as('superusuario@demo.example'))
})

t.test('one of several concurrent creates of the same record succeeds, and the others get the usual 400', async (t) => {
  for (const [url, body, errors] of [
    ['memberships/', { user: users['sincompania@demo.example'], company: norte, nivel_acceso: 1 }, { non_field_errors: ['The fields user, company must make a unique set.'] }],
    ['users/', { email: 'carrera@demo.example', password: 'demo-obra-1' }, { email: ['This field must be unique.'] }],
    ['companies/', { nombre: 'Carrera', customer: 1 }, { nombre: ['This field must be unique.'] }]
  ] as const) {
    const elsewhere = await as('superusuario@demo.example', there)
    const answers = await Promise.all(Array.from({ length: 6 }, async (_, index) => await (index % 2 === 0 ? root : elsewhere).post(url, body)))
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 400, 400, 400, 400, 400], url)
    for (const answer of answers.filter(({ statusCode }) => statusCode === 400)) t.strictSame(answer.json(), invalid(errors))
  }
})

t.test('a unit of work whose value is taken between check and write is repeated a limited number of times', async (t) => {
  await psql('create sequence tries')
  await psql(`
    create function taken_meanwhile() returns trigger language plpgsql security definer as $$
    begin
      if nextval('tries') = 1 or new.nombre = 'Siempre' then
        raise exception 'taken' using errcode = 'unique_violation';
      end if;
      return new;
    end $$`)
  await psql('create trigger taken_meanwhile before insert on customers for each row execute function taken_meanwhile()')
  t.equal((await root.post('customers/', { nombre: 'Una vez' })).statusCode, 201)
  const response = await root.post('customers/', { nombre: 'Siempre' })
  t.equal(response.statusCode, 409)
  t.equal(response.json().code, 'conflict')
  await psql('drop trigger taken_meanwhile on customers')
})

t.test('a value that a direct SQL writer has not yet committed gives the usual 400', { skip: server === undefined && 'the embedded database has one connection' }, async (t) => {
  for (const [insert, url, body, errors] of [
    ["insert into users (email, password) values ('justo@demo.example', '!')", 'users/', { email: 'justo@demo.example', password: 'demo-obra-1' }, { email: ['This field must be unique.'] }],
    ["insert into memberships (user_id, company_id, nivel_acceso) select u.id, c.id, 1 from users u, companies c where u.email = 'sincompania@demo.example' and c.nombre = 'Obra Sur'", 'memberships/', { user: users['sincompania@demo.example'], company: companies['Obra Sur'], nivel_acceso: 1 }, { non_field_errors: ['The fields user, company must make a unique set.'] }]
  ] as const) {
    await psql('begin')
    await psql(insert)
    const answer = root.post(url, body)
    await setTimeout(300)
    await psql('commit')
    t.equal((await answer).statusCode, 400)
    t.strictSame((await answer).json().errors, errors)
  }
})
