import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Device } from '../../../../../support/device.ts'
import { build, type Client } from '../../../../../support/helper.ts'
import { None } from '../../../../../support/none.ts'

t.test('waiting for changes', async (t) => {
  const { as, app, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const synced = async (client: Client) => {
    const device = new Device(client.get)
    await device.sync()
    return device.cursor as string
  }
  /** Waits with a cursor, and runs `work` when the request waits. @returns the answer and how long it took, in ms */
  async function waiting (work: () => Promise<unknown>, prefer = 'wait=20', client = director) {
    const cursor = await synced(client)
    const started = performance.now()
    const answer = client.get(`changes/?cursor=${cursor}`, { prefer })
    await sleep(100)
    await work()
    const { statusCode, headers, ...response } = await answer
    return { statusCode, headers, body: response.json(), took: performance.now() - started }
  }

  await t.test('ends with a write of the same process, of a unit of work, and of another process', async (t) => {
    const write = await waiting(async () => await director.post('contracts/', { folio: 'WAIT-1' }))
    t.match(write, { statusCode: 200, headers: { 'preference-applied': 'wait' }, body: { changes: [{ record: { folio: 'WAIT-1' } }], has_more: false } })
    const bulk = await waiting(async () => await director.post('contracts/bulk/', { items: [{ folio: 'WAIT-2' }] }))
    t.match(bulk, { statusCode: 200, body: { changes: [{ record: { folio: 'WAIT-2' } }] } })
    const elsewhere = await waiting(async () => await psql("update contracts set descripcion = 'elsewhere' where folio = 'WAIT-1'"))
    t.match(elsewhere, { statusCode: 200, body: { changes: [{ record: { descripcion: 'elsewhere' } }] } })
    for (const { took } of [write, bulk, elsewhere]) t.ok(took < 15_000)
  })

  await t.test('ends after the wanted time without changes, with 304 for a known answer', async (t) => {
    const { statusCode, body, took } = await waiting(async () => {}, 'respond-async, wait=1; x=y')
    t.match({ statusCode, body }, { statusCode: 200, body: { changes: None, has_more: false, counts: { estimates: 9 } } })
    t.ok(took >= 990)
    const cursor = await synced(director)
    const { etag } = (await director.get(`changes/?cursor=${cursor}`)).headers
    t.equal((await director.get(`changes/?cursor=${cursor}`, { prefer: 'wait=1', 'if-none-match': etag as string })).statusCode, 304)
  })

  await t.test('is not for other preferences, nor for a cursor with changes', async (t) => {
    const cursor = await synced(director)
    for (const prefer of ['wait=0', 'wait', 'wait=-1', 'wait=x', 'respond-async', 'x-wait=9', 'awaiting=9']) {
      t.equal((await director.get(`changes/?cursor=${cursor}`, { prefer })).headers['preference-applied'], undefined, prefer)
    }
    await director.post('contracts/', { folio: 'WAIT-3' })
    t.match((await director.get(`changes/?cursor=${cursor}`, { prefer: 'wait=30' })).json(), { changes: [{ record: { folio: 'WAIT-3' } }] })
    t.match((await director.get('changes/?page_size=1', { prefer: 'wait=30' })).json(), { has_more: true })
  })

  await t.test('ignores changes of other companies', async (t) => {
    const other = await as('director@otra.example')
    const { body, took } = await waiting(async () => await other.post('contracts/', { folio: 'WAIT-4' }), 'wait=1')
    t.match(body, { changes: None })
    t.ok(took >= 990)
  })

  await t.test('checks session, level and company again', async (t) => {
    const raise = async () => await director.post('contracts/', { folio: `WAIT-${Math.random()}` })
    const auxiliar = await as('auxiliar@demo.example')
    const left = await waiting(async () => {
      await psql("update users set company_id = null where email = 'auxiliar@demo.example'")
      await raise()
    }, 'wait=20', auxiliar)
    t.match(left, { statusCode: 403, body: { code: 'no_active_company' } })

    const moving = await as('director@demo.example')
    const { company, companies } = (await moving.get('me/')).json()
    const { id: another } = companies.find(({ id }: { id: number }) => id !== company)
    const moved = await waiting(async () => {
      await moving.send('PATCH', 'me/', { company: another })
      await psql("update contracts set descripcion = 'moved' where folio = 'WAIT-1'")
    }, 'wait=20', moving)
    t.match(moved, { statusCode: 409, body: { code: 'company_changed' } })
    await moving.send('PATCH', 'me/', { company })

    const ended = await as('coordinador@demo.example')
    const revoked = await waiting(async () => {
      await ended.post('api-token-revoke/', { refresh: ended.refresh })
      await raise()
    }, 'wait=20', ended)
    t.equal(revoked.statusCode, 401)
    t.equal(revoked.headers['preference-applied'], undefined)
  })

  await t.test('ends at a shutdown', async (t) => {
    const cursor = await synced(director)
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const started = performance.now()
    const answer = fetch(`${origin}/api/v1/changes/?cursor=${cursor}`, { headers: { authorization: `Bearer ${director.access}`, prefer: 'wait=30' } })
    await once(app.server, 'request')
    await sleep(100)
    const [response] = await Promise.all([answer, app.close()])
    t.equal(response.status, 200)
    t.match(await response.json(), { changes: None, has_more: false })
    t.ok(performance.now() - started < 15_000)
  })
})
