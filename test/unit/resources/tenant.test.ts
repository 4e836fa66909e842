import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { buildWith } from '../../support/extra-routes.ts'
import { users } from '../../../src/domain/accounts/users.ts'
import { list, retrieve } from '../../../src/resources/reading/handlers.ts'
import { Tenant } from '../../../src/resources/tenant.ts'

t.test('a handler gets its caller\'s company and has no access to another', async (t) => {
  const seen: Tenant[] = []
  const { app, as, psql } = await buildWith(t, (app) => {
    app.get('/tenant/', { schema: { hide: true } }, async (request, reply) => {
      await app.authorize(request, reply, 'read')
      seen.push(request.tenant)
      return {}
    })
  })
  const revisions = async () => await psql('select c.nombre, r.revision, r.stamp, r.company_id as id from company_revisions r join companies c on c.id = r.company_id')
  for (const [email, nombre, level] of [['auxiliar@demo.example', 'Obra Norte', 1], ['director@demo.example', 'Obra Norte', 3], ['director@otra.example', 'Otra Uno', 3], ['corporativo@demo.example', 'Obra Norte', 4]] as const) {
    const { access } = await as(email)
    await app.inject({ url: '/tenant/', headers: { authorization: `Bearer ${access}` } })
    const tenant = seen.pop() as Tenant
    const company = (await revisions()).find(one => one['nombre'] === nombre)
    t.same({ ...tenant }, { company: company?.['id'], zone: 'America/Mexico_City', revision: company?.['revision'], stamp: company?.['stamp'], level }, 'the tenant has no other fields')
    t.same(Object.getOwnPropertyNames(Tenant.prototype).sort(), ['bulk', 'constructor', 'create', 'createWithNewKey', 'inSnapshot', 'may', 'page', 'partialBulk', 'read', 'readAlone', 'reader', 'record', 'remove', 'unit', 'update', 'user'])
  }

  const { access } = await as('sincompania@demo.example')
  const refused = await app.inject({ url: '/tenant/', headers: { authorization: `Bearer ${access}` } })
  t.equal(refused.statusCode, 403)
  t.equal(refused.json().code, 'no_active_company')
  t.equal(seen.length, 0)
})

t.test('a route with company access does not serve accounts, which have no policies', async (t) => {
  const { app, as } = await buildWith(t, (app) => {
    for (const [path, route] of Object.entries({ '/mistaken/': list(users), '/mistaken/:id/': retrieve(users) })) {
      const access = 'read' as const
      app.get(path, { ...route, schema: { hide: true }, onRequest: async (request: FastifyRequest, reply: FastifyReply) => await app.authorize(request, reply, access) } as never)
    }
  })
  const { access } = await as('auxiliar@demo.example')
  for (const path of ['/mistaken/', '/mistaken/1/']) {
    const answer = await app.inject({ url: path, headers: { authorization: `Bearer ${access}` } })
    t.equal(answer.statusCode, 500, path)
    t.strictSame(answer.json(), { detail: 'A server error occurred.', code: 'error' })
  }
})

t.test('no header, parameter or body of a request selects its company', async (t) => {
  let other = 0
  const everywhere = (known: object) => new Proxy(known, { get: (sent, name) => Reflect.get(sent, name) ?? (typeof name === 'string' ? String(other) : undefined), has: () => true })
  const { app, as, psql } = await buildWith(t, (app) => {
    app.get('/tenant/', { schema: { hide: true } }, async (request, reply) => {
      Object.defineProperty(request.raw, 'headers', { value: everywhere(request.headers) })
      Object.assign(request, { query: everywhere({}), params: everywhere({}), body: everywhere({}) })
      await app.authorize(request, reply, 'read')
      return await request.tenant.read({ columns: [], text: 'select q.i, q.company as asked, c.company_id as company from unnest($1::int[]) with ordinality as q (company, i) join contracts c on true group by 1, 2, 3' }, [])
    })
  })
  const [own, theirs] = await Promise.all(['Obra Norte', 'Otra Uno'].map(async name => (await psql('select id from companies where nombre = $1', [name]))[0]?.['id'])) as [number, number]
  for (const [email, mine, another] of [['director@demo.example', own, theirs], ['director@otra.example', theirs, own], ['superusuario@demo.example', own, theirs]] as const) {
    const { access } = await as(email)
    if (email === 'superusuario@demo.example') await psql('update users set company_id = $1 where email = $2', [mine, email])
    other = another
    const answer = await app.inject({ url: '/tenant/', headers: { authorization: `Bearer ${access}` } })
    t.equal(answer.statusCode, 200, answer.body)
    t.same(answer.json(), [{ i: 1, asked: mine, company: mine }], email)
  }
})
