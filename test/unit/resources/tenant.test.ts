import t from 'tap'
import { buildWith } from '../../support/extra-routes.ts'
import { Tenant } from '../../../src/resources/tenant.ts'

t.test('a handler gets its caller\'s company and no way to another', async (t) => {
  const seen: Tenant[] = []
  const { app, as, psql } = await buildWith(t, (app) => {
    app.get('/tenant/', { schema: { hide: true } }, async (request, reply) => {
      await app.authorize(request, reply, 'read')
      seen.push(request.tenant)
      return {}
    })
  })
  const revisions = async () => await psql('select c.nombre, r.revision, r.company_id as id from company_revisions r join companies c on c.id = r.company_id')
  for (const [email, nombre, level] of [['auxiliar@demo.example', 'Obra Norte', 1], ['director@demo.example', 'Obra Norte', 3], ['director@otra.example', 'Otra Uno', 3], ['corporativo@demo.example', 'Obra Norte', 4]] as const) {
    const { access } = await as(email)
    await app.inject({ url: '/tenant/', headers: { authorization: `Bearer ${access}` } })
    const tenant = seen.pop() as Tenant
    const company = (await revisions()).find(one => one['nombre'] === nombre)
    t.same({ ...tenant }, { company: company?.['id'], revision: company?.['revision'], level }, 'all that can be read of it')
    t.same(Object.getOwnPropertyNames(Tenant.prototype).sort(), ['bulk', 'constructor', 'create', 'once', 'page', 'read', 'record', 'remove', 'update'])
  }

  const { access } = await as('sincompania@demo.example')
  const refused = await app.inject({ url: '/tenant/', headers: { authorization: `Bearer ${access}` } })
  t.equal(refused.statusCode, 403)
  t.equal(refused.json().code, 'no_active_company')
  t.equal(seen.length, 0)
})
