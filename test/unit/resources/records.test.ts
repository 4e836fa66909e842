import t from 'tap'
import { users } from '../../../src/domain/accounts/users.ts'
import { contracts } from '../../../src/domain/contracts/resource.ts'
import { Accounts } from '../../../src/resources/accounts.ts'
import type { AnyResource } from '../../../src/resources/declaration/account-resource.ts'
import type { Records } from '../../../src/resources/records.ts'
import { buildWith } from '../../support/extra-routes.ts'

/** Each method of records that takes a resource. */
const methods = (records: Records, resource: AnyResource): Record<string, () => Promise<unknown>> => {
  const input = { values: {}, problems: [] }
  return {
    page: async () => await records.page(resource, {}),
    record: async () => await records.record(resource, '1'),
    create: async () => await records.create(resource, input),
    createInUnit: async () => await records.unit(async (_, writer) => await writer.create(resource, input)),
    update: async () => await records.update(resource, '1', input, () => true),
    remove: async () => await records.remove(resource, '1', () => true)
  }
}

t.test('records of a company and accounts refuse resources of the other kind in each method', async (t) => {
  const tenants: Records[] = []
  const managers: Array<{ user: number, sid: string, customer: number | null }> = []
  const { as, app, database, psql } = await buildWith(t, (app) => {
    app.get('/tenant/', { schema: { hide: true } }, async (request, reply) => {
      await app.authorize(request, reply, 'read')
      tenants.push(request.tenant)
      managers.push(request.caller)
      return {}
    })
  })
  const { access } = await as('superusuario@demo.example')
  await psql("update users set company_id = (select id from companies where nombre = 'Obra Norte') where email = 'superusuario@demo.example'")
  await app.inject({ url: '/tenant/', headers: { authorization: `Bearer ${access}` } })
  const [tenant, manager] = [tenants[0], managers[0]]
  for (const [name, run] of Object.entries(methods(tenant, users))) await t.rejects(run(), { message: 'users are not records of a company' }, `tenant: ${name}`)
  const accounts = new Accounts(database, { ...manager, level: 6 })
  for (const [name, run] of Object.entries(methods(accounts, contracts))) await t.rejects(run(), { message: 'contracts are not accounts' }, `accounts: ${name}`)
})
