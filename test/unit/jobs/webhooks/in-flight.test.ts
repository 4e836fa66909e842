import t from 'tap'
import type { Reply } from '../../../support/webhook-receiver.ts'
import { before, foliosOf, retryLater, startDelivering, type DeliveringServer } from './delivering.ts'
import { until } from '../../../support/until.ts'

/** A receiver that holds its answers. @returns gives the next held delivery an answer */
function holding ({ receiver }: DeliveringServer): (reply: Reply) => void {
  const held: Array<(reply: Reply) => void> = []
  receiver.answer = async () => await new Promise((resolve) => { held.push(resolve) })
  return reply => held.shift()?.(reply)
}

t.test('a webhook that is deleted during a delivery leaves nothing behind', async (t) => {
  const server = await startDelivering(t)
  const { director, receiver, contract, webhook, psql, app } = server
  const answer = holding(server)
  await contract('F-1')
  await receiver.nth(0)
  t.equal((await director.send('DELETE', `webhooks/${webhook.id}/`)).statusCode, 204)
  answer({})
  await until(async () => app.webhooks.running() === 0)
  t.strictSame(await psql('select from webhook_cursors union all select from webhook_deliveries'), [])
  t.equal((await director.get(`webhooks/${webhook.id}/deliveries/`)).statusCode, 404)
})

t.test('a replay during a delivery counts, not the answer to it', async (t) => {
  const server = await startDelivering(t)
  const { director, receiver, contract, webhook } = server
  const { revision } = await server.cursor()
  await contract('F-2')
  await receiver.nth(0)
  await until(async () => (await server.cursor()).lease === null)
  const answer = holding(server)
  await contract('F-3')
  await receiver.nth(1)
  const replay = await director.post(`webhooks/${webhook.id}/replay/`, { since: revision })
  t.strictSame([replay.statusCode, replay.json()], [202, { revision }])
  receiver.answer = () => ({})
  answer({ status: 500 })
  await receiver.nth(3)
  t.strictSame(foliosOf(server), ['F-2', 'F-3', 'F-2', 'F-3'])
  await until(async () => (await server.cursor()).lease === null)
  t.match(await server.cursor(), { failures: 0, next_attempt_at: null })
})

t.test('a skip during the next attempt counts, not the answer to it', async (t) => {
  const server = await startDelivering(t)
  const { director, receiver, contract, webhook, cursor, retryNow } = server
  receiver.answer = () => ({ status: 500, headers: retryLater })
  await contract('F-4')
  await until(async () => (await cursor()).failures === 1)
  const answer = holding(server)
  await retryNow()
  await receiver.nth(1)
  t.equal((await director.post(`webhooks/${webhook.id}/skip/`)).statusCode, 202)
  const again = await director.post(`webhooks/${webhook.id}/skip/`)
  t.match([again.statusCode, again.json().detail], [409, /no delivery/i], 'none fails now')
  receiver.answer = () => ({})
  answer({ status: 500 })
  await contract('F-5')
  await receiver.nth(2)
  t.strictSame(foliosOf(server), ['F-4', 'F-4', 'F-5'])
})

t.test('a process whose lease has ended stores no result', async (t) => {
  const server = await startDelivering(t)
  const { receiver, contract, cursor, psql, app } = server
  const answer = holding(server)
  await contract('F-8')
  await receiver.nth(0)
  const leased = await cursor()
  await psql("update webhook_cursors set lease = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 hour'")
  answer({})
  await until(async () => app.webhooks.running() === 0)
  const { revision, position } = await cursor()
  t.strictSame([revision, position], [leased.revision, leased.position])
})

t.test('the answer to a delivery counts although the webhook is switched off and on meanwhile', async (t) => {
  const server = await startDelivering(t)
  const { director, receiver, contract, webhook, app } = server
  for (const isOn of [false, true]) {
    const answer = holding(server)
    const count = receiver.received.length
    await contract(`F-off-${isOn}`)
    await receiver.nth(count)
    await director.send('PATCH', `webhooks/${webhook.id}/`, { activo: false })
    if (isOn) await director.send('PATCH', `webhooks/${webhook.id}/`, { activo: true })
    receiver.answer = () => ({})
    answer({})
    await until(async () => app.webhooks.running() === 0)
    await director.send('PATCH', `webhooks/${webhook.id}/`, { activo: true })
    await contract(`F-on-${isOn}`)
    await receiver.nth(count + 1)
    await until(async () => app.webhooks.running() === 0)
  }
  t.strictSame(foliosOf(server), ['F-off-false', 'F-on-false', 'F-off-true', 'F-on-true'])
})

t.test('a webhook that is switched off between the read and the request is not delivered to', async (t) => {
  const server = await startDelivering(t)
  const { receiver, contract, psql, app } = server
  let begins = 0
  before(server, 'begin webhook delivery', async () => {
    if (begins++ === 0) await psql('update webhooks set activo = false')
  })
  await contract('F-15')
  await until(async () => begins === 1 && app.webhooks.running() === 0)
  t.strictSame(receiver.received, [])
  await psql('update webhooks set activo = true')
  await contract('F-16')
  await receiver.nth(1)
  t.strictSame(foliosOf(server), ['F-15', 'F-16'])
})

t.test('a repeated delivery whose record has changed has another id, and the changes until then', async (t) => {
  const server = await startDelivering(t, { batch: 10 })
  const { director, receiver, contract, cursor, retryNow } = server
  receiver.answer = () => ({ status: 500, headers: retryLater })
  const id = await contract('F-13')
  await until(async () => (await cursor()).failures === 1)
  await contract('F-14')
  await director.send('PATCH', `contracts/${id}/`, { monto: '5.00' })
  receiver.answer = () => ({})
  await retryNow()
  const [first, second] = [await receiver.nth(0), await receiver.nth(1)]
  t.not(second.headers['webhook-id'], first.headers['webhook-id'])
  t.strictSame(second.json.data.map(({ type, record: { folio, version } }: any) => [type, folio, version]), [['contracts.created', 'F-14', 1], ['contracts.created', 'F-13', 2]])
})

t.test('records that change while another delivery fails are delivered once afterwards', async (t) => {
  const server = await startDelivering(t)
  const { director, receiver, contract, cursor, retryNow, app } = server
  receiver.answer = () => ({ status: 500, headers: retryLater })
  await director.post('contracts/bulk/', { items: [{ folio: 'F-17' }, { folio: 'F-18' }] })
  await until(async () => (await cursor()).failures === 1)
  const { results } = (await director.get('contracts/?search=F-18')).json()
  for (const monto of ['1.00', '2.00']) await director.send('PATCH', `contracts/${results[0].id}/`, { monto })
  receiver.answer = () => ({})
  await retryNow()
  await contract('F-19')
  await until(() => foliosOf(server).includes('F-19'))
  await until(async () => app.webhooks.running() === 0)
  t.strictSame(foliosOf(server).slice(1).toSorted(), ['F-17', 'F-18', 'F-19'])
  t.equal(receiver.received[1]?.headers['webhook-id'], receiver.received[0]?.headers['webhook-id'])
})
