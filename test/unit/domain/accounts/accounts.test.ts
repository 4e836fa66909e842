import t from 'tap'
import { Accounts } from '../../../../src/resources/accounts.ts'
import { companies } from '../../../../src/domain/accounts/companies.ts'
import { customers } from '../../../../src/domain/accounts/customers.ts'
import { memberships } from '../../../../src/domain/accounts/memberships.ts'
import { users } from '../../../../src/domain/accounts/users.ts'
import { demoIds } from '../../../support/accounts.ts'
import { openTestDatabase } from '../../../support/helper.ts'

const fresh = await openTestDatabase(t)
const { database, psql } = fresh
const ids = await demoIds(fresh)
const own = ids.customers['Constructora Demo']
const user = ids.users['corporativo@demo.example']
const newSession = async (): Promise<string> => (await psql("insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), $1, now() + interval '1 hour') returning id", [user]))[0]?.['id']
const manager = { user, sid: await newSession(), level: 4, customer: own }

t.test('a context includes the accounts of the user’s own customer at level 4, none without a customer, and all accounts at levels 5 and 6', async (t) => {
  for (const [level, customer, counts] of [[4, own, [1, 2, 5, 4]], [4, ids.customers['Grupo Otra'], [1, 1, 1, 1]], [4, null, [0, 0, 0, 0]], [5, null, [2, 3, 8, 5]], [6, own, [2, 3, 8, 5]]] as const) {
    const accounts = new Accounts(database, { ...manager, level, customer })
    const seen = await Promise.all([customers, companies, users, memberships].map(async resource => (await accounts.page(resource, {})).count))
    t.strictSame(seen, counts, `level ${level} of ${customer}`)
  }
})

t.test('work is refused if its caller has changed since authentication', async (t) => {
  const create = async (changed: object) => {
    const values = { nombre: `Obra ${JSON.stringify(changed)}` }
    return await new Accounts(database, { ...manager, ...changed }).create(companies, { values, problems: [] })
  }
  const denied = { name: 'ForbiddenError', statusCode: 403 }
  const ended = { statusCode: 401, code: 'token_not_valid' }
  t.match(await create({}), { customer: own })
  await t.rejects(create({ level: 6 }), denied, 'another level')
  await t.rejects(create({ customer: ids.customers['Grupo Otra'] }), denied, 'another customer')
  await t.rejects(create({ customer: null }), denied)
  await t.rejects(create({ user: ids.users['superusuario@demo.example'], level: 6, customer: null }), ended, 'another user’s session')
  const [revoked, expired] = [await newSession(), await newSession()]
  await psql('update sessions set revoked_at = now() where id = $1', [revoked])
  await psql("update sessions set expires_at = now() - interval '1 second' where id = $1", [expired])
  for (const sid of [revoked, expired]) await t.rejects(create({ sid }), ended, 'an ended session')
  await psql('update users set activo = false where id = $1', [user])
  await t.rejects(create({ again: true }), { statusCode: 401, code: 'user_inactive' }, 'inactive')
  await psql('update users set activo = true where id = $1', [user])
  await t.rejects(create({ again: true }), ended, 'sessions that ended permanently')
  manager.sid = await newSession()
  t.match(await create({ again: true }), { customer: own })
})

t.test('statements of a unit of work are rolled back with their record', async (t) => {
  const accounts = new Accounts(database, manager)
  await t.rejects(accounts.unit(async ({ run }) => {
    await run({ text: 'insert into companies (nombre, customer_id) values ($1, $2)', values: ['A medias', own] })
    throw new Error('dies')
  }), { message: 'dies' })
  t.strictSame(await psql("select from companies where nombre = 'A medias'"), [])
})
