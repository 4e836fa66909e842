import type { AddressInfo } from 'node:net'
import t from 'tap'
import { startDelivering, type DeliveringServer } from './delivering.ts'

/** Closes the server. @returns the cursor at the end, before the database closes */
async function closed ({ app, database, psql }: DeliveringServer): Promise<any> {
  const { close } = database
  let cursor
  database.close = async () => {
    database.close = close
    cursor = (await psql('select revision, lease, failures from webhook_cursors'))[0]
    await close()
  }
  await app.close()
  return cursor
}

t.test('a shutdown waits for the delivery in progress, and stores its result', async (t) => {
  const delivering = await startDelivering(t)
  const { receiver, contract, psql } = delivering
  let answer = () => {}
  receiver.answer = async () => await new Promise((resolve) => { answer = () => resolve({}) })
  await contract('W-1')
  await receiver.nth(0)
  const [company] = await psql('select revision from company_revisions where company_id = 1')
  const end = closed(delivering)
  answer()
  t.strictSame(await end, { revision: company?.['revision'], lease: null, failures: 0 })
})

t.test('a delivery without an answer is released, and does not count as failed', async (t) => {
  const delivering = await startDelivering(t)
  const { receiver, contract } = delivering
  receiver.answer = async () => await new Promise(() => {})
  await contract('W-1')
  await receiver.nth(0)
  t.match(await closed(delivering), { lease: null, failures: 0 })
})

t.test('after a shutdown has begun, no further delivery begins, and the rest stays for the next process', async (t) => {
  const delivering = await startDelivering(t)
  const { receiver, contract, psql } = delivering
  let answer = () => {}
  receiver.answer = async () => await new Promise((resolve) => { answer = () => resolve({}) })
  await contract('W-1')
  await receiver.nth(0)
  const [company] = await psql('select revision from company_revisions where company_id = 1')
  for (const folio of ['W-2', 'W-3']) await contract(folio)
  const end = closed(delivering)
  answer()
  t.strictSame(await end, { revision: company?.['revision'], lease: null, failures: 0 })
  t.strictSame(receiver.received.map(({ json }) => json.data.record.folio), ['W-1'])
})

t.test('a test in progress is given up', async (t) => {
  const delivering = await startDelivering(t)
  const { receiver, director, webhook, app } = delivering
  receiver.answer = async () => await new Promise(() => {})
  const { port } = app.server.address() as AddressInfo
  const ping = fetch(`http://127.0.0.1:${port}/api/v1/webhooks/${webhook.id}/test/`, { method: 'POST', headers: { authorization: `Bearer ${director.access}` } })
  await receiver.nth(0)
  await app.close()
  t.equal((await ping).status, 503, 'without it, the attempt ends after 15 s with 200')
})
