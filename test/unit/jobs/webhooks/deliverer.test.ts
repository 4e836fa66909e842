import t from 'tap'
import { Webhook } from 'standardwebhooks'
import { switchedOffWebhooks } from '../../../../src/database/connection/channels.ts'
import { startReceiver, type Received } from '../../../support/webhook-receiver.ts'
import { retryLater, startDelivering } from './delivering.ts'
import { until } from '../../../support/until.ts'

const summary = ({ json: { type, data } }: Received) => [type, data.id, data.record?.version]

t.test('changes are delivered in order, signed, and logged', async (t) => {
  const { director, receiver, webhook, contract, cursor, psql } = await startDelivering(t)
  const id = await contract('W-1')
  await receiver.nth(0)
  await director.send('PATCH', `contracts/${id}/`, { monto: '5.00' })
  await receiver.nth(1)
  await director.send('DELETE', `contracts/${id}/`)
  await receiver.nth(2)
  t.strictSame(receiver.received.map(summary), [['contracts.created', id, 1], ['contracts.updated', id, 2], ['contracts.deleted', id, undefined]])
  const [first, second] = receiver.received
  t.strictSame(new Webhook(webhook.secret).verify(first?.body, first?.headers as Record<string, string>), first?.json)
  t.not(first?.headers['webhook-id'], second?.headers['webhook-id'])
  t.match(second?.json, { timestamp: /Z$/, data: { company: 1, resource: 'contracts', record: { folio: 'W-1', monto: '5.00' } } })
  const [{ revision }] = await psql('select revision from company_revisions where company_id = 1') as [{ revision: number }]
  await until(async () => (await cursor()).revision === revision)
  const log = (await director.get(`webhooks/${webhook.id}/deliveries/`)).json()
  t.equal(log.count, 3)
  t.match(log.results, [{ events: ['contracts.deleted'] }, { events: ['contracts.updated'] }, { webhook_id: first?.headers['webhook-id'], events: ['contracts.created'], intento: 1, estado_http: 204, respuesta: '', error: null }])
  t.match((await director.get(`webhooks/${webhook.id}/deliveries/?page_size=2`)).json(), { count: 3, next: /cursor=/, previous: null })
})

t.test('only the events of the webhook are delivered, and the cursor passes the others', async (t) => {
  const { director, receiver, contract, cursor, psql } = await startDelivering(t, { events: ['contracts.deleted'] })
  const id = await contract('W-2')
  await director.send('DELETE', `contracts/${id}/`)
  t.strictSame(summary(await receiver.nth(0)), ['contracts.deleted', id, undefined])
  await director.post('contrapartes/', { nombre: 'W' })
  const [{ revision }] = await psql('select revision from company_revisions where company_id = 1') as [{ revision: number }]
  await until(async () => (await cursor()).revision === revision)
  t.equal(receiver.received.length, 1)
})

t.test('the cursor passes a new name of the company, which is no event', async (t) => {
  const { receiver, contract, cursor, psql } = await startDelivering(t)
  await psql("update companies set nombre = 'Obra W' where id = 1")
  const [{ revision }] = await psql('select revision from company_revisions where company_id = 1') as [{ revision: number }]
  await until(async () => (await cursor()).revision === revision)
  const id = await contract('W-9')
  t.strictSame(summary(await receiver.nth(0)), ['contracts.created', id, 1])
})

t.test('a failed delivery is repeated with the same id, and the changes behind it become one per record', async (t) => {
  const { director, receiver, contract, retryNow, cursor, webhook } = await startDelivering(t)
  receiver.answer = () => ({ status: 500, body: 'broken', headers: retryLater })
  const id = await contract('W-3')
  const first = await receiver.nth(0)
  await until(async () => (await cursor()).failures === 1)
  t.ok((await cursor()).next_attempt_at !== null)
  await retryNow()
  const again = await receiver.nth(1)
  t.strictSame([again.headers['webhook-id'], again.body], [first.headers['webhook-id'], first.body])
  await until(async () => (await cursor()).failures === 2)

  for (const monto of ['1.00', '2.00', '3.00']) await director.send('PATCH', `contracts/${id}/`, { monto })
  const other = await contract('W-4')
  receiver.answer = () => ({})
  await retryNow()
  await receiver.nth(3)
  t.strictSame(receiver.received.slice(2).map(summary), [['contracts.created', id, 4], ['contracts.created', other, 1]], 'still announced as created')
  await until(async () => (await cursor()).failures === 0)
  t.match((await director.get(`webhooks/${webhook.id}/deliveries/?page=last`)).json().results.at(-1), { intento: 1, estado_http: 500, respuesta: 'broken' })
})

t.test('a webhook that fails keeps its last thousand attempts', async (t) => {
  const { director, receiver, contract, retryNow, cursor, webhook, psql } = await startDelivering(t)
  receiver.answer = () => ({ status: 503, headers: retryLater })
  await contract('W-12')
  await until(async () => (await cursor()).failures === 1)
  await psql("insert into webhook_deliveries (company_id, webhook, message, events, intento, duracion_ms, respuesta) select company_id, webhook, message, events, n, 1, '' from webhook_deliveries, generate_series(2, 1000) n")
  await psql('update webhook_cursors set failures = 1000')
  await retryNow()
  await until(async () => (await cursor()).failures === 1001)
  t.strictSame(await psql('select count(*)::int, min(intento), max(intento) from webhook_deliveries'), [{ count: 1000, min: 2, max: 1001 }])
  t.equal((await director.get(`webhooks/${webhook.id}/deliveries/`)).json().count, 1000)
})

t.test('several changes in one delivery', async (t) => {
  const { director, receiver, contract, retryNow, cursor, webhook } = await startDelivering(t, { batch: 3 })
  receiver.answer = () => ({ status: 503, headers: retryLater })
  await contract('W-5')
  await until(async () => (await cursor()).failures === 1)
  const items = ['W-6', 'W-7', 'W-8', 'W-9'].map(folio => ({ folio }))
  await director.post('contracts/bulk/', { items })
  receiver.answer = () => ({})
  await retryNow()
  const [first, second, third, fourth] = [await receiver.nth(0), await receiver.nth(1), await receiver.nth(2), await receiver.nth(3)]
  t.strictSame([second.headers['webhook-id'], second.body], [first.headers['webhook-id'], first.body], 'a repetition has the same changes')
  t.strictSame([third.json.type, fourth.json.type], ['changes', 'changes'])
  t.strictSame([third, fourth].map(({ json }) => json.data.map((one: { record: { folio: string } }) => one.record.folio)), [['W-6', 'W-7', 'W-8'], ['W-9']], 'one revision spans deliveries')
  await until(async () => (await cursor()).lease === null)
  const { results } = (await director.get(`webhooks/${webhook.id}/deliveries/`)).json()
  t.strictSame(results[0].records, [{ resource: 'contracts', id: fourth.json.data[0].id }])
  t.equal(results[1].records.length, 3)
})

t.test('Retry-After and 410', async (t) => {
  const { director, receiver, contract, cursor, webhook } = await startDelivering(t)
  const answers = [{ status: 429, headers: { 'retry-after': '0' } }, { status: 410 }]
  receiver.answer = () => answers.shift() ?? {}
  await contract('W-10')
  await receiver.nth(1)
  await until(async () => !(await cursor()).activo)
  t.match((await director.get(`webhooks/${webhook.id}/`)).json(), { activo: false, motivo_inactivo: 'The receiver answered 410.' })
  await contract('W-11')
  t.match((await director.send('PATCH', `webhooks/${webhook.id}/`, { activo: true })).json(), { activo: true, motivo_inactivo: null })
  await receiver.nth(3)
  t.strictSame(receiver.received.slice(2).map(({ json }) => json.data.record.folio), ['W-10', 'W-11'], 'it continues where it stopped')
})

t.test('after five days of failures a webhook is switched off', async (t) => {
  const { director, receiver, contract, cursor, webhook, psql } = await startDelivering(t)
  const noted: unknown[] = []
  const note = (message: unknown) => { noted.push(message) }
  switchedOffWebhooks.subscribe(note)
  t.teardown(() => switchedOffWebhooks.unsubscribe(note))
  receiver.answer = () => ({ status: 500, headers: retryLater })
  await contract('W-12')
  await until(async () => (await cursor()).failures === 1)
  await psql("update webhook_cursors set failing_since = failing_since - interval '5 days', next_attempt_at = null")
  await until(async () => !(await cursor()).activo)
  t.match((await director.get(`webhooks/${webhook.id}/`)).json(), { activo: false, motivo_inactivo: 'All deliveries failed for five days.' })
  t.equal(receiver.received.length, 2)
  await until(async () => noted.length > 0)
  t.strictSame(noted, [{ company: 1, webhook: webhook.id }], 'the metrics count it')
})

t.test('a webhook that is switched on again stays on after the failure of an attempt that had begun before', async (t) => {
  const { director, receiver, contract, cursor, webhook, psql } = await startDelivering(t)
  receiver.answer = () => ({ status: 500, headers: retryLater })
  await contract('W-12-1')
  await until(async () => (await cursor()).failures === 1)
  let answered = () => {}
  receiver.answer = async () => await new Promise((resolve) => { answered = () => resolve({ status: 500, headers: retryLater }) })
  await psql("update webhook_cursors set failing_since = failing_since - interval '5 days', next_attempt_at = null")
  await receiver.nth(1)
  for (const activo of [false, true]) await director.send('PATCH', `webhooks/${webhook.id}/`, { activo })
  answered()
  await until(async () => (await cursor()).lease === null)
  t.match((await director.get(`webhooks/${webhook.id}/`)).json(), { activo: true, motivo_inactivo: null })
  t.equal((await cursor()).failures, 1)
})

t.test('a new address is tried at once, and the answer of the old one no longer counts', async (t) => {
  const { director, receiver, contract, cursor, webhook } = await startDelivering(t)
  const next = await startReceiver(t)
  let answered = () => {}
  receiver.answer = async () => await new Promise((resolve) => { answered = () => resolve({}) })
  await contract('W-13')
  await receiver.nth(0)
  await director.send('PATCH', `webhooks/${webhook.id}/`, { url: next.url })
  answered()
  t.equal((await next.nth(0)).json.data.record.folio, 'W-13')
  await until(async () => (await cursor()).lease === null)
  t.equal(next.received.length, 1)
})

t.test('a webhook whose secret was encrypted with another key fails until it is rotated', async (t) => {
  const { director, receiver, contract, cursor, webhook, psql } = await startDelivering(t)
  await psql("update webhooks set secrets = encode(decode(secrets, 'base64') || 'x', 'base64')")
  await contract('W-15')
  await until(async () => (await cursor()).failures === 1)
  t.match((await director.get(`webhooks/${webhook.id}/deliveries/`)).json().results, [{ estado_http: null, error: /WEBHOOK_KEY/ }])
  const { secret } = (await director.post(`webhooks/${webhook.id}/rotate/`)).json()
  await psql('update webhook_cursors set next_attempt_at = null')
  const one = await receiver.nth(0)
  t.strictSame(new Webhook(secret).verify(one.body, one.headers as Record<string, string>), one.json)
})

t.test('metrics count attempts and delivered changes, and the lag of those', async (t) => {
  const { app, receiver, contract, cursor, retryNow, director } = await startDelivering(t, { batch: 10 }, { METRICS_PORT: 0 })
  const series = async () => (await app.metrics?.metrics() ?? '').split('\n').filter(line => /^obra_webhook_(deliveries|changes|lag_seconds_count)/.test(line))
  receiver.answer = () => ({ status: 500, headers: retryLater })
  await contract('W-17')
  await until(async () => (await cursor()).failures === 1)
  receiver.answer = () => ({})
  await director.post('contracts/bulk/', { items: [{ folio: 'W-18' }, { folio: 'W-19' }] })
  await retryNow()
  await until(async () => (await series()).includes('obra_webhook_changes_total 3') && app.webhooks.running() === 0)
  t.strictSame(await series(), [
    'obra_webhook_deliveries_total{outcome="delivered"} 2',
    'obra_webhook_deliveries_total{outcome="failed"} 1',
    'obra_webhook_changes_total 3',
    'obra_webhook_lag_seconds_count 2',
    'obra_webhook_deliveries_running 0'
  ])
})

t.test('WEBHOOKS=off delivers nothing', async (t) => {
  const { receiver, contract, director, webhook, cursor } = await startDelivering(t, {}, { WEBHOOKS: 'off' })
  await contract('W-16')
  t.match((await director.post(`webhooks/${webhook.id}/test/`)).json(), { events: ['ping'], estado_http: 204 }, 'but tests')
  t.strictSame(receiver.received.map(({ json }) => json.type), ['ping'])
  t.equal((await cursor()).lease, null)
})
