import t from 'tap'
import { until } from '../../../support/until.ts'
import { before, foliosOf, retryLater, startDelivering } from './delivering.ts'

t.test('a result is stored again when the database fails, and nothing is delivered twice', async (t) => {
  const server = await startDelivering(t)
  const { receiver, contract, cursor, webhook, director } = server
  let faults = 0
  before(server, 'settle webhook', () => {
    if (faults === 0) return
    faults--
    throw Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' })
  })
  receiver.answer = () => {
    faults = 3
    return {}
  }
  await contract('F-6')
  await receiver.nth(0)
  await until(async () => (await cursor()).lease === null)
  t.equal(faults, 0)
  receiver.answer = () => ({})
  await contract('F-7')
  await receiver.nth(1)
  t.strictSame(foliosOf(server), ['F-6', 'F-7'])
  await until(async () => (await cursor()).lease === null)
  t.equal((await director.get(`webhooks/${webhook.id}/deliveries/`)).json().count, 2)
})

t.test('a result is stored also when the next changes cannot be read', async (t) => {
  const server = await startDelivering(t)
  const { receiver, contract, cursor, retryNow } = server
  receiver.answer = () => ({ status: 500, headers: retryLater })
  await contract('F-9')
  await until(async () => (await cursor()).failures === 1)
  await contract('F-10')
  let faults = 0
  before(server, 'settle webhook', (names) => {
    if (!names.includes('webhook changes')) return
    faults++
    throw Object.assign(new Error('canceled'), { code: '57014' })
  })
  receiver.answer = () => ({})
  await retryNow()
  await receiver.nth(2)
  t.strictSame(foliosOf(server), ['F-9', 'F-9', 'F-10'])
  t.equal(faults, 1)
})

t.test('a delivery begins in spite of lock timeouts, in the same lease', async (t) => {
  const server = await startDelivering(t)
  const { app, receiver, contract, cursor } = server
  const errors = t.capture(app.log, 'error')
  let attempts = 0
  before(server, 'begin webhook delivery', () => {
    if (++attempts <= 3) throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  })
  await contract('F-8')
  await receiver.nth(0)
  await until(async () => (await cursor()).lease === null)
  t.strictSame([attempts, foliosOf(server), errors()], [4, ['F-8'], []])
  t.match(await cursor(), { failures: 0, next_attempt_at: null })
})
