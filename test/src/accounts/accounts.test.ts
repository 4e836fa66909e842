import t from 'tap'
import { Accounts } from '../../../src/accounts/accounts.ts'
import { companies } from '../../../src/accounts/companies.ts'
import { customers } from '../../../src/accounts/customers.ts'
import { memberships } from '../../../src/accounts/memberships.ts'
import { users } from '../../../src/accounts/users.ts'
import { demoIds } from '../../accounts.ts'
import { openTestDatabase } from '../../helper.ts'

const fresh = await openTestDatabase(t)
const { database, psql } = fresh
const ids = await demoIds(fresh)
const own = ids.customers['Constructora Demo'] as number
const manager = { user: ids.users['corporativo@demo.example'] as number, level: 4, customer: own }

t.test('a context reaches the own customer’s accounts, all of them at levels 5 and 6, nobody’s without a customer', async (t) => {
  for (const [level, customer, counts] of [[4, own, [1, 2, 5, 4]], [4, ids.customers['Grupo Otra'] as number, [1, 1, 1, 1]], [4, null, [0, 0, 0, 0]], [5, null, [2, 3, 8, 5]], [6, own, [2, 3, 8, 5]]] as const) {
    const accounts = new Accounts(database, { user: 1, level, customer })
    const seen = await Promise.all([customers, companies, users, memberships].map(async resource => (await accounts.page(resource, {})).count))
    t.strictSame(seen, counts, `level ${level} of ${customer}`)
  }
})

t.test('work is refused when its caller is no longer who the door found', async (t) => {
  const create = async (changed: object) => await new Accounts(database, { ...manager, ...changed }).create(companies, { values: { nombre: `Obra ${JSON.stringify(changed)}` }, problems: [] })
  const denied = { statusCode: 403, code: 'permission_denied' }
  t.match(await create({}), { customer: own })
  await t.rejects(create({ level: 6 }), denied, 'another level')
  await t.rejects(create({ customer: ids.customers['Grupo Otra'] }), denied, 'another customer')
  await t.rejects(create({ customer: null }), denied)
  await psql('update users set activo = false where id = $1', [manager.user])
  await t.rejects(create({ again: true }), denied, 'inactive')
  await psql('update users set activo = true where id = $1', [manager.user])
  t.match(await create({ again: true }), { customer: own })
})

t.test('what a unit of work does beside a record stands and falls with it', async (t) => {
  const accounts = new Accounts(database, manager)
  await t.rejects(accounts.alone(async ({ look }) => {
    await look.run({ text: 'insert into companies (nombre, customer_id) values ($1, $2)', values: ['A medias', own] })
    throw new Error('dies')
  }), { message: 'dies' })
  t.strictSame(await psql("select from companies where nombre = 'A medias'"), [])
})
