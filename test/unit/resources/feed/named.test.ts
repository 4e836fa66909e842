import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { resources } from '../../../../src/domain/resources.ts'
import { choices } from '../../../../src/resources/declaration/fields.ts'
import { usualOf, type FeedQuery } from '../../../../src/resources/feed/cursor.ts'
import { changeFeed } from '../../../../src/resources/feed/feed.ts'
import { feedSchemas } from '../../../../src/resources/feed/schemas.ts'
import { compile } from '../../../../src/resources/validation/compile.ts'
import { Device } from '../../../support/device.ts'
import { migration } from '../../../fourth-resource/migration.ts'
import { almacenes } from '../../../fourth-resource/resource.ts'
import { buildWith } from '../../../support/extra-routes.ts'
import type { Resource } from '../../../../src/resources/declaration/resource.ts'
import { load } from '../../../../src/database/schema/load.ts'
import { declaredBy } from '../../../../src/database/schema/declared.ts'
import { entities } from '../../../../src/domain/entities/index.ts'

const all = [...resources, almacenes]
const feed = changeFeed(all)
const today = ['contrapartes', 'contracts', 'estimates']

t.test('a new resource is only in the feed of clients that name it', async (t) => {
  const { as, psql } = await buildWith(t, fourRoutes)
  for (const statement of migration) await psql(statement)
  await load(psql, declaredBy([...entities, almacenes.entity].map(({ meta }) => meta)))
  const [{ id }] = await psql("insert into almacenes (company_id, clave) select company_id, 'NORTE' from users where email = 'director@demo.example' returning id") as [{ id: number }]
  const director = await as('director@demo.example')
  const read = async (query: string) => (await director.get(`four/${query}`)).json()

  const page = await read('')
  t.strictSame(Object.keys(page.counts), today)
  t.strictSame([...new Set(page.changes.map(({ resource }: { resource: string }) => resource))], today)
  t.same(changeFeed(resources).cursorOf({ cursor: page.cursor }, 1).seen.revision, page.revision, 'the cursor has the form of a feed without it')

  const named = await read('?resources=almacenes,contracts')
  t.strictSame(Object.keys(named.counts), ['contracts', 'almacenes'])
  t.match(named.changes.at(-1), { resource: 'almacenes', id, record: { clave: 'NORTE', contract: null } })

  await psql("update almacenes set direccion = 'Av. Juárez 10'")
  t.strictSame((await read(`?cursor=${page.cursor}`)).changes, [])
  t.match((await read(`?cursor=${named.cursor}`)).changes, [{ resource: 'almacenes', record: { direccion: 'Av. Juárez 10' } }])

  const [of, others] = [await read('?resources=almacenes&contracts=1'), await read('?resources=almacenes&contracts=2')]
  t.strictSame([of.changes, others.changes], [[], []])
  await psql('update almacenes set contract_id = 1')
  const inside = await read(`?cursor=${of.cursor}`)
  t.match(inside.changes, [{ id, record: { clave: 'NORTE' } }], 'a record that moves to a contract of the feed appears')
  await psql('update almacenes set contract_id = 2')
  t.match((await read(`?cursor=${inside.cursor}`)).changes, [{ id, deleted: true }], 'one that moves to another contract disappears')
  t.match((await read(`?cursor=${others.cursor}`)).changes, [{ id, record: { clave: 'NORTE' } }])

  const device = new Device(async url => await director.get(url.replace('changes/', 'four/')), 'almacenes')
  await device.sync(1)
  t.strictSame([[...device.records.keys()], device.faults], [[`almacenes/${id}`], []])
})

t.test('the cursor of an event is one of a client that names no resource', async (t) => {
  const revision = { revision: 7, stamp: 8 }
  const cursor = feed.cursorAt(feed.cursorOf({}, 1), revision)
  t.strictSame(feed.cursorOf({ cursor }, 1).resources, today)
  t.equal(cursor, changeFeed(resources).cursorAt(feed.cursorOf({}, 1), revision))
})

t.test('the schemas state the default if it is not all resources', async (t) => {
  const described = (of: readonly Resource[]) => feedSchemas(of).query.properties['resources']?.['description']
  t.match(described(resources.filter(({ feed }) => feed === 'always')), 'Default: all.')
  t.match(described(all), 'Default: contrapartes, contracts, estimates.')
  t.strictSame(usualOf(all), today)
})

t.test('a webhook without events has those of the default, one with all events also the new ones', async (t) => {
  const words = choices('events', ['a', 'b', 'new'], ['a', 'b'])
  const validate = compile({ type: 'object', properties: { events: words.spec.input } })
  const stored = (events: string[]) => {
    const body = { events } as { events: unknown }
    return validate(body) ? body.events : undefined
  }
  t.strictSame([['b', 'a'], ['new', 'a', 'b'], ['new'], ['a']].map(stored), ['', 'a,b,new', 'new', 'a'])
  t.match(words.spec.sql, "coalesce(nullif(t.events, ''), 'a,b')")
})

/** The change feed with four resources, beside the service's own. */
function fourRoutes (app: FastifyInstance): void {
  app.register(async (app) => {
    app.addHook('onRequest', async (request, reply) => await app.authorize(request, reply, 'read'))
    app.get<{ Querystring: FeedQuery }>('/', { schema: { hide: true, querystring: feed.schemas.query, response: { 200: feed.schemas.page } } }, async (request) => {
      const page = await feed.page(request.tenant, feed.cursorOf(request.query, request.tenant.company), request.query.page_size ?? 500)
      return JSON.parse(page.body)
    })
  }, { prefix: '/api/v1/four' })
}
