import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { RecentTags } from '../../../plugins/page-cache.ts'
import { revisionOf } from '../../../src/http/representation.ts'
import { buildWith } from '../../support/extra-routes.ts'
import { None } from '../../support/none.ts'

t.test('of the tags of one slot, only the last one is known', async (t) => {
  const tags = new RecentTags(1)
  t.strictSame(['a', 'a', 'b', 'a', 'a'].map(tag => tags.add(tag)), [false, true, false, false, true])
})

t.test('reads of a company\'s data', async (t) => {
  let made = 0
  const { as, psql, database, app } = await buildWith(t, (app) => {
    // A body of the requested size, and the number of bodies made.
    app.get('/large/:name/', { schema: { hide: true } }, async (request, reply) => {
      await app.authorize(request, reply, 'read')
      return await reply.sendCached(async () => {
        made++
        return { body: JSON.stringify({ company: request.tenant.company, text: 'x'.repeat(1_000_000) }), ...revisionOf(request.tenant) }
      })
    })
  })
  const director = await as('director@demo.example')
  const other = await as('director@otra.example')
  const { company } = (await director.get('me/')).json()

  // Everything that reaches the database, by any way.
  const sent = { query: 0, within: 0 }
  const { query, within } = database.sql
  database.sql.query = async (statement) => { sent.query++; return await query(statement) }
  database.sql.within = async (...transaction) => { sent.within++; return await within(...transaction) }
  const counted = async <T>(work: () => Promise<T>) => {
    Object.assign(sent, { query: 0, within: 0 })
    return { answer: await work(), ...sent }
  }

  await t.test('are read from the database once per revision, and the caller\'s state at every request', async (t) => {
    const first = await counted(async () => await director.get('contracts/?page_size=3'))
    t.match(first, { query: 1, within: 1 })
    const again = await counted(async () => await director.get('contracts/?page_size=3'))
    t.match(again, { query: 1, within: 0 })
    t.same(again.answer.json(), first.answer.json())
    t.equal(again.answer.headers.etag, first.answer.headers.etag)
    await psql('update contracts set monto = monto where company_id = $1', [company])
    const after = await counted(async () => await director.get('contracts/?page_size=3'))
    t.match(after, { query: 1, within: 1 })
    t.not(after.answer.headers.etag, first.answer.headers.etag)
  })

  await t.test('of a single record are kept from the second one, at any revision', async (t) => {
    const [{ id }] = (await director.get('contracts/?page_size=1')).json().results
    const read = async () => (await counted(async () => await director.get(`contracts/${id}/`))).within
    const bytes = app.pageCacheBytes()
    t.equal(await read(), 1)
    t.equal(app.pageCacheBytes(), bytes)
    t.equal(await read(), 1)
    t.ok(app.pageCacheBytes() > bytes)
    t.equal(await read(), 0)
    await psql('update contracts set monto = monto where id = $1', [id])
    t.equal(await read(), 1)
    t.equal(await read(), 0)
  })

  await t.test('of a cached record replace it after a change, whatever else was read', async (t) => {
    const records = (await director.get('contracts/?page_size=2')).json().results as Array<{ id: number }>
    const [read, other] = records.map(({ id }) => async () => (await counted(async () => await director.get(`contracts/${id}/`))).within)
    for (let time = 0; time < 3; time++) await read?.()
    const { add } = RecentTags.prototype
    t.teardown(() => { RecentTags.prototype.add = add })
    RecentTags.prototype.add = () => false
    t.equal(await other?.(), 1)
    await psql('update contracts set monto = monto where company_id = $1', [company])
    t.equal(await read?.(), 1)
    t.equal(await read?.(), 0)
  })

  await t.test('of the same address are read once for concurrent requests', async (t) => {
    await psql('update contracts set monto = monto where company_id = $1', [company])
    const ask = async (path: string) => await app.inject({ url: `/api/v1/${path}`, headers: { authorization: `Bearer ${director.access}` } })
    const { within } = database.sql
    const sizes: number[] = []
    database.sql.within = async (companies, mode, statements) => {
      sizes.push(...statements.map(({ values }) => (values[0] as unknown[]).length))
      return await within(companies, mode, statements)
    }
    const answers = await Promise.all(['contracts/?page_size=4', 'contracts/?page_size=4', 'contracts/?page_size=5', 'contracts/?page_size=4'].map(ask))
    database.sql.within = within
    t.same(sizes, [2])
    t.same(answers.map(answer => answer.json().results.length), [4, 4, 5, 4])
    t.same(new Set(answers.map(({ headers, body }) => `${headers.etag} ${body}`)).size, 2)
  })

  await t.test('are answered 304 without reading the data', async (t) => {
    const [{ id }] = (await director.get('contracts/?page_size=1')).json().results
    for (const url of ['contracts/?page_size=1', `contracts/${id}/`]) {
      const etag = (await director.get(url)).headers.etag as string
      for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`]) {
        const { answer, ...statements } = await counted(async () => await director.get(url, { 'if-none-match': ifNoneMatch }))
        t.equal(answer.statusCode, 304)
        t.equal(answer.body, '')
        t.equal(answer.headers.etag, etag)
        t.same(statements, { query: 1, within: 0 })
      }
      await psql('update contracts set monto = monto where id = $1', [id])
      t.equal((await director.get(url, { 'if-none-match': etag })).statusCode, 200)
    }
  })

  await t.test('never show one company\'s cached page to another', async (t) => {
    const shared = await Promise.all([director, other, director, other].map(async client => (await client.get('contracts/?page_size=7')).json().results))
    t.same(shared.map(([contract]) => contract.company === company), [true, false, true, false])
    const corporate = await as('corporativo@demo.example')
    const before = (await corporate.get('contracts/?page_size=7'))
    const sur = (await corporate.get('me/')).json().companies.find((one: { nombre: string }) => one.nombre === 'Obra Sur').id
    await corporate.send('PATCH', 'me/', { company: sur })
    const after = await corporate.get('contracts/?page_size=7', { 'if-none-match': before.headers.etag as string })
    t.equal(after.statusCode, 200)
    t.match(after.json(), { count: 0, results: None })
  })

  await t.test('are cached up to a number of bytes, the most recent ones', async (t) => {
    const headers = { authorization: `Bearer ${director.access}` }
    const large = async (name: number) => (await app.inject({ url: `/large/${name}/`, headers })).body.length
    const megabytes = 40
    for (let name = 0; name < megabytes; name++) await large(name)
    made = 0
    await large(megabytes - 1)
    t.equal(made, 0, 'the last page is cached')
    await large(0)
    t.equal(made, 1, 'the first page was evicted')
  })
})

t.test('a cached page keeps no memory but its own', async (t) => {
  const { as, app } = await buildWith(t, (app) => {
    app.get('/medium/:name/', { schema: { hide: true } }, async (request, reply) => {
      await app.authorize(request, reply, 'read')
      return await reply.sendCached(async () => ({ body: JSON.stringify({ text: 'x'.repeat(8000) }), ...revisionOf(request.tenant) }))
    })
  })
  const headers = { authorization: `Bearer ${(await as('director@demo.example')).access}` }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().arrayBuffers
  }

  const before = used()
  const cachedBefore = app.pageCacheBytes()
  for (let name = 0; name < 400; name++) {
    await app.inject({ url: `/medium/${name}/`, headers })
    Buffer.allocUnsafe(20_000) // from the pool that Node shares among buffers
  }
  const cached = app.pageCacheBytes() - cachedBefore
  t.ok(cached > 400 * 8000)
  // V8 frees buffers some time after the collection.
  let grown = used() - before
  for (let wait = 0; wait < 50 && grown >= 2 * cached; wait++) {
    await sleep(100)
    grown = used() - before
  }
  t.ok(grown < 2 * cached, `${grown} bytes for ${cached}`)
})

t.test('without a page cache, reads query the database each time, and 304 still works', async (t) => {
  const { as } = await buildWith(t, () => {}, { PAGE_CACHE_MB: 0 })
  const director = await as('director@demo.example')
  const first = await director.get('contracts/?page_size=3')
  t.equal(first.json().results.length, 3)
  const again = await director.get('contracts/?page_size=3')
  t.same([again.headers.etag, again.body], [first.headers.etag, first.body])
  const polled = await director.get('contracts/?page_size=3', { 'if-none-match': first.headers.etag as string })
  t.same([polled.statusCode, polled.body], [304, ''])
})
