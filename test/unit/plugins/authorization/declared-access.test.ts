import Fastify from 'fastify'
import t from 'tap'
import door from '../../../../routes/api/v1/autohooks.ts'

t.test('the server does not start if an API route declares no access', async (t) => {
  const app = Fastify()
  t.teardown(async () => await app.close())
  app.decorate('authorizeRoute', async () => {})
  app.register(async (v1) => {
    await door(v1)
    v1.register(async (child) => { child.get('/forgotten/', async () => 'open to everybody') }, { prefix: '/contracts' })
  }, { prefix: '/api/v1' })
  await t.rejects(async () => await app.ready(), { message: 'GET /api/v1/contracts/forgotten/ declares no access' })
})

t.test('a route with declared access is authorized', async (t) => {
  const app = Fastify()
  t.teardown(async () => await app.close())
  const entered: unknown[] = []
  app.decorate('authorizeRoute', async ({ routeOptions }) => { entered.push(routeOptions.config.access) })
  app.register(async (v1) => {
    await door(v1)
    v1.get('/declared/', { config: { access: 'delete' } }, async () => 'ok')
  }, { prefix: '/api/v1' })
  t.equal((await app.inject('/api/v1/declared/')).body, 'ok')
  t.strictSame(entered, ['delete'])
})
