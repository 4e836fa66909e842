import t from 'tap'
import { build, type Client } from '../../../../../support/helper.ts'

interface Event {
  id: string
  revision: number
}

t.test('the stream of revisions', async (t) => {
  const { as, app, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const revision = async () => (await psql("select revision from company_revisions where company_id = (select company_id from users where email = 'director@demo.example')"))[0]?.['revision']

  /** Opens a stream. `next` reads its next event, or undefined at its end. */
  async function open (client: Client, headers: Record<string, string> = {}, query = '') {
    const abort = new AbortController()
    const response = await fetch(`${origin}/api/v1/changes/events/${query}`, { headers: { authorization: `Bearer ${client.access}`, accept: 'text/event-stream', ...headers }, signal: abort.signal })
    t.teardown(() => abort.abort())
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    async function next (): Promise<Event | undefined> {
      while (!text.includes('\n\n')) {
        const { value, done } = await reader?.read() as { value?: string, done: boolean }
        if (done) return undefined
        text += value
      }
      const [event = '', ...rest] = text.split('\n\n')
      text = rest.join('\n\n')
      const fields = Object.fromEntries(event.split('\n').map(line => line.split(': ', 2)))
      return fields['event'] === 'revision' ? { id: fields['id'], revision: JSON.parse(fields['data']).revision } : await next()
    }
    return { response, next, text: async () => text + (await reader?.read())?.value }
  }

  await t.test('sends the present revision, then each newer one', async (t) => {
    const { response, next } = await open(director)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), 'text/event-stream')
    t.equal((await open(director, { accept: 'text/event-stream; charset=utf-8' })).response.status, 200, 'parameters do not matter')
    t.match(await next(), { revision: await revision() })
    await director.post('contracts/', { folio: 'EVENT-1' })
    t.match(await next(), { revision: await revision() })
    await psql("update contracts set monto = 1 where folio = 'EVENT-1'")
    t.match(await next(), { revision: await revision() })
  })

  await t.test('continues after Last-Event-ID, whose id is a cursor of the feed', async (t) => {
    const first = await (await open(director)).next() as Event
    const continued = await open(director, { 'last-event-id': first.id })
    const { id } = (await director.post('contracts/', { folio: 'EVENT-2' })).json()
    t.match(await continued.next(), { revision: await revision() })
    t.match(await (await open(director, { 'last-event-id': first.id })).next(), { revision: await revision() }, 'also later')
    await director.send('DELETE', `contracts/${id}/`)
    t.match((await director.get(`changes/?cursor=${first.id}`)).json().changes, [{ id, deleted: true }])
  })

  await t.test('gives cursors for resources and contracts, and continues them', async (t) => {
    const [one, other] = await Promise.all(['EVENT-A', 'EVENT-B'].map(async folio => (await director.post('contracts/', { folio })).json().id as number)) as [number, number]
    const query = `?resources=contracts,estimates&contracts=${one}`
    const stream = await open(director, {}, query)
    const { id } = await stream.next() as Event
    const estimate = (await director.post('estimates/', { contract: one })).json().id
    await director.post('contrapartes/', { nombre: 'EVENT' })
    await director.post('estimates/', { contract: other })
    t.match((await director.get(`changes/?cursor=${id}`)).json().changes.map(({ resource, id }: { resource: string, id: number }) => [resource, id]), [['estimates', estimate]])
    t.match(await (await open(director, { 'last-event-id': id }, query)).next(), { revision: await revision() })
    for (const [wrong, field] of [['?contracts=x', 'contracts'], ['?resources=x', 'resources'], ['?cursor=x', 'cursor']] as const) {
      const { response, text } = await open(director, {}, wrong)
      t.strictSame([response.status, Object.keys(JSON.parse(await text()).errors)], [400, [field]])
    }
    const { response, text } = await open(director, { 'last-event-id': id }, `?resources=contracts&contracts=${other}`)
    t.strictSame([response.status, Object.keys(JSON.parse(await text()).errors).sort()], [400, ['contracts', 'resources']])
  })

  await t.test('refuses a cursor that cannot be continued, and other representations, with JSON', async (t) => {
    const { id } = await (await open(director)).next() as Event
    const parts = id.split('.')
    const forked = parts.with(4, (Number.parseInt(parts[4], 36) + 1).toString(36)).join('.')
    await director.post('contracts/', { folio: 'EVENT-3' })
    const other = await as('director@otra.example')
    for (const [client, headers, status, code] of [[director, { 'last-event-id': forked }, 410, 'resync'], [other, { 'last-event-id': id }, 409, 'company_changed'], [director, { accept: 'application/json' }, 406, 'not_acceptable']] as const) {
      const { response, text } = await open(client, headers)
      t.equal(response.status, status)
      t.match(JSON.parse(await text()), { code })
    }
    t.equal((await open(director, { 'last-event-id': 'x' })).response.status, 400)
  })

  await t.test('is not for a user without an active company', async (t) => {
    const { response, text } = await open(await as('sincompania@demo.example'))
    t.equal(response.status, 403)
    t.match(JSON.parse(await text()), { code: 'no_active_company' })
  })

  for (const [what, change] of [
    ['session', async (client: Client) => await client.post('api-token-revoke/', { refresh: client.refresh })],
    ['company', async () => await psql("update users set company_id = null where email = 'auxiliar@demo.example'")]
  ] as const) {
    await t.test(`ends when the ${what} no longer allows it`, async (t) => {
      const client = await as(what === 'session' ? 'coordinador@demo.example' : 'auxiliar@demo.example')
      const { next } = await open(client)
      t.ok(await next())
      await change(client)
      await director.post('contracts/', { folio: `EVENT ${what}` })
      t.equal(await next(), undefined)
    })
  }

  await t.test('ends at a shutdown', async (t) => {
    const { next } = await open(director)
    await next()
    const started = performance.now()
    const closed = app.close()
    t.equal(await next(), undefined)
    await closed
    t.ok(performance.now() - started < 15_000)
  })
})
