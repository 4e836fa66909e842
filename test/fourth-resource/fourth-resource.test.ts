import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Access } from '../../src/auth/access.ts'
import { buildWith } from '../support/extra-routes.ts'
import { migration } from './migration.ts'
import { almacenes } from './resource.ts'
import almacenesRoutes from './routes.ts'

t.test('a new resource needs only its declaration, migration and routes', async (t) => {
  const { as, psql, database } = await buildWith(t, (app) => {
    app.register(async (app) => {
      // What routes/api/v1 does for every folder in it.
      app.addHook('onRequest', async (request, reply) => await app.authorize(request, reply, request.routeOptions.config.access as Access))
      await app.register(almacenesRoutes)
    }, { prefix: '/api/v1/almacenes' })
  })
  for (const statement of migration) await psql(statement)
  database.orm.discoverEntity(almacenes.entity)
  const director = await as('director@demo.example')
  const stranger = await as('director@otra.example')

  const made = await director.post('almacenes/', { clave: ' NORTE-1', contract: 'ON-2026-001', external_id: 'w-1' }, { 'idempotency-key': 'once' })
  t.equal(made.statusCode, 201)
  t.match(made.json(), { clave: 'NORTE-1', direccion: '', contract: 'ON-2026-001', version: 1 })
  const path = `almacenes/${made.json().id}/`
  const again = await director.post('almacenes/', { clave: 'NORTE-1', contract: 'ON-2026-001', external_id: 'w-1' }, { 'idempotency-key': 'once' })
  t.equal(again.headers['idempotency-replayed'], 'true')
  t.equal(again.body, made.body)

  const bulk = await director.post('almacenes/bulk/', { items: [{ clave: 'NORTE-1', external_id: 'w-1', direccion: 'Av. Juárez 10' }, { clave: 'SUR-1', external_id: 'w-2' }], upsert: 'external_id' })
  t.match([bulk.statusCode, bulk.json()], [201, { count: 2, results: [{ direccion: 'Av. Juárez 10', version: 2 }, { clave: 'SUR-1', version: 1 }] }])

  const list = await director.get('almacenes/?search=juarez&fields=clave')
  t.strictSame(list.json(), { count: 1, next: null, previous: null, results: [{ clave: 'NORTE-1' }] })
  t.equal((await director.get('almacenes/?search=juarez&fields=clave', { 'if-none-match': list.headers['etag'] as string })).statusCode, 304)
  t.equal((await director.get('almacenes/?contract=1')).json().count, 1)

  const wrong = await director.send('PATCH', path, { clave: 'SUR-1', contract: 99_999, foo: 1 })
  t.strictSame([wrong.statusCode, Object.keys(wrong.json().errors).sort()], [400, ['clave', 'contract', 'foo']])
  t.equal((await director.send('PATCH', path, { clave: 'N-1' }, { 'if-match': made.headers['etag'] as string })).statusCode, 412)
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) t.equal((await stranger.send(method, path, method === 'GET' ? undefined : { clave: 'x' })).statusCode, 404, method)
  t.equal((await stranger.get('almacenes/')).json().count, 0)
  t.equal((await director.send('DELETE', path)).statusCode, 204)
  t.equal((await director.get('almacenes/')).json().count, 1)
})

t.test('the documentation states where each of these goes', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/guides/add-a-resource.md'), 'utf8')
  for (const file of ['resource.ts', 'migration.ts', 'routes.ts']) t.match(page, `test/fourth-resource/${file}`)
})
