import t from 'tap'
import { Webhook } from 'standardwebhooks'
import { retryLater, startDelivering } from '../../../../jobs/webhooks/delivering.ts'
import { until } from '../../../../../support/until.ts'

t.test('a rotated secret signs for 24 hours beside the new one', async (t) => {
  const { director, receiver, webhook, contract } = await startDelivering(t)
  const rotated = await director.post(`webhooks/${webhook.id}/rotate/`)
  t.match([rotated.statusCode, rotated.json()], [200, { id: webhook.id, version: 2, secret: /^whsec_/ }])
  t.not(rotated.json().secret, webhook.secret)
  await contract('R-1')
  const { body, headers, json } = await receiver.nth(0)
  for (const secret of [webhook.secret, rotated.json().secret]) t.strictSame(new Webhook(secret).verify(body, headers as Record<string, string>), json)
  t.equal((await director.post('webhooks/999/rotate/')).statusCode, 404)
})

t.test('a test sends a ping, and answers with the attempt', async (t) => {
  const { director, receiver, webhook } = await startDelivering(t)
  receiver.answer = () => ({ status: 418, body: 'a\0b'.padEnd(5000, 'x') })
  const tested = await director.post(`webhooks/${webhook.id}/test/`)
  t.match([tested.statusCode, tested.json()], [200, { events: ['ping'], intento: 1, estado_http: 418, error: null }])
  t.match(tested.json().respuesta, /^abx+$/)
  t.ok(tested.json().respuesta.length <= 1024)
  t.match(receiver.received, [{ json: { type: 'ping', data: { company: 1 } }, headers: { 'webhook-id': tested.json().webhook_id } }])
  t.strictSame((await director.get(`webhooks/${webhook.id}/deliveries/`)).json().results, [tested.json()])
  t.equal((await director.post('webhooks/999/test/')).statusCode, 404)
})

t.test('tests of a webhook and of a customer have places, so that a silent receiver refuses no one else', async (t) => {
  const { as, director, receiver, webhook } = await startDelivering(t)
  const answers: Array<() => void> = []
  receiver.answer = async () => await new Promise((resolve) => { answers.push(() => resolve({})) })
  const more = await Promise.all(Array.from({ length: 8 }, async (_, number) => (await director.post('webhooks/', { url: `${receiver.url}/${number}` })).json().id as number))
  const test = async (id: number, client = director) => await client.post(`webhooks/${id}/test/`)
  const first = test(webhook.id)
  await receiver.nth(0)
  const again = await test(webhook.id)
  t.match([again.statusCode, again.headers['retry-after'], again.json()], [429, '5', { code: 'throttled', detail: 'A test of this webhook is in progress. Wait for its answer, or try again in 5 seconds.' }])
  const others = more.slice(0, 7).map(async id => await test(id))
  await receiver.nth(7)
  const beyond = await test(more[7])
  t.match([beyond.statusCode, beyond.headers['retry-after'], beyond.json()], [429, '5', { code: 'throttled', detail: 'Your customer has 8 tests of webhooks in progress, the most of one customer. Try again in 5 seconds.' }])
  const stranger = await as('director@otra.example')
  const { id } = (await stranger.post('webhooks/', { url: receiver.url })).json()
  const elsewhere = test(id, stranger)
  await receiver.nth(8)
  for (const answer of answers) answer()
  for (const { statusCode } of await Promise.all([first, ...others, elsewhere])) t.equal(statusCode, 200)
})

t.test('of the pings, the last twenty are kept', async (t) => {
  const { director, webhook, psql } = await startDelivering(t)
  for (let number = 0; number < 23; number++) await director.post(`webhooks/${webhook.id}/test/`)
  const { count, results } = (await director.get(`webhooks/${webhook.id}/deliveries/`)).json()
  t.equal(count, 20)
  t.strictSame(results[0].records, [])
  t.strictSame(await psql('select count(*)::int from webhook_deliveries'), [{ count: 20 }])
})

t.test('a replay delivers each changed record once again', async (t) => {
  const { director, receiver, webhook, contract, psql } = await startDelivering(t)
  const [{ revision: start }] = await psql('select revision from company_revisions where company_id = 1') as [{ revision: number }]
  const id = await contract('P-1')
  await receiver.nth(0)
  await director.send('PATCH', `contracts/${id}/`, { monto: '1.00' })
  const { json: { timestamp } } = await receiver.nth(1)
  await until(async () => (await psql('select lease from webhook_cursors'))[0]?.['lease'] === null)

  const path = `webhooks/${webhook.id}/replay/`
  const replayed = await director.post(path, { since: start })
  t.strictSame([replayed.statusCode, replayed.json()], [202, { revision: start }])
  const { json } = await receiver.nth(2)
  t.match([json.type, json.data], ['contracts.created', { id, record: { version: 2 } }])
  await until(async () => (await psql('select lease from webhook_cursors'))[0]?.['lease'] === null)
  t.strictSame((await director.post(path, { since: timestamp })).json(), { revision: start + 2 }, 'an instant, exclusive')

  const created = (await director.post(path, { since: '2000-01-01T00:00:00Z' })).json()
  t.strictSame(created, { revision: 0 }, 'before the first change')
  // Several revisions can have one instant: the clock of the embedded database counts milliseconds.
  const entries = await psql('select max(revision)::int as revision, to_char(changed_at at time zone \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z"\') as at from changes where company_id = 1 group by changed_at order by 1')
  t.ok(entries.length > 10)
  for (const { revision, at } of entries) t.strictSame((await director.post(path, { since: at })).json(), { revision }, 'each instant finds its last revision')
  for (const since of [10_000_000, '2999-01-01T00:00:00Z']) t.strictSame((await director.post(path, { since })).json().errors, { since: ['Ensure this value is not later than now.'] })
  for (const since of ['yesterday', -1, null, 1.5]) t.strictSame(Object.keys((await director.post(path, { since })).json().errors), ['since'], String(since))
  t.strictSame((await director.post(path, {})).json().errors, { since: ['This field is required.'] })
  t.equal((await director.post('webhooks/999/replay/', { since: 0 })).statusCode, 404)
  t.equal((await director.post(path, { since: '0' })).json().revision, 0, 'digits are a revision')
})

t.test('a skip gives up the delivery that fails', async (t) => {
  const { director, receiver, webhook, contract, cursor, psql } = await startDelivering(t)
  const path = `webhooks/${webhook.id}/skip/`
  t.match((await director.post(path)).json(), { code: 'conflict', detail: 'No delivery of this webhook fails.' })
  receiver.answer = ({ json }) => json.data.record.folio === 'S-1' ? { status: 500, headers: retryLater } : {}
  await contract('S-1')
  await until(async () => (await cursor()).failures === 1)
  const [{ revision }] = await psql('select revision from company_revisions where company_id = 1') as [{ revision: number }]
  await contract('S-2')
  t.strictSame((await director.post(path)).json(), { revision })
  t.equal((await receiver.nth(1)).json.data.record.folio, 'S-2')
  t.equal((await director.post('webhooks/999/skip/')).statusCode, 404)
})
