import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { demoPlace, startServer, type Place } from '../../support/process.ts'
import { until } from '../../support/until.ts'
import { startReceiver, type Reply } from '../../support/webhook-receiver.ts'

/** Starts a server. @returns it, and requests of a Director */
async function serving (place: Place) {
  const server = await startServer(t, place)
  const request = async (path: string, body?: unknown, token?: string) => {
    const headers = { 'content-type': 'application/json', ...token === undefined ? {} : { authorization: `Bearer ${token}` } }
    const response = await fetch(`${server.origin}/api/v1/${path}`, { headers, ...body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) } })
    return await response.json() as any
  }
  const { access } = await request('api-token-auth/', { email: 'director@demo.example', password: demoPassword })
  return { ...server, call: async (path: string, body?: unknown) => await request(path, body, access) }
}

t.test('after kill -9 between delivery and result, the same delivery comes again with the same id, before later changes', async (t) => {
  const place = await demoPlace(t)
  const receiver = await startReceiver(t)
  const held: Array<(reply: Reply) => void> = []
  receiver.answer = async () => await new Promise((resolve) => { held.push(resolve) })
  const first = await serving(place)
  const { id } = await first.call('webhooks/', { url: receiver.url, batch: 10 })
  await first.call('contracts/', { folio: 'KILL-1' })
  await receiver.nth(0)
  await first.call('contracts/', { folio: 'KILL-2' })
  first.signal('SIGKILL')
  await first.ended

  receiver.answer = () => ({})
  const second = await serving(place)
  await receiver.nth(2)
  const [lost, again, next] = receiver.received
  t.strictSame([again?.headers['webhook-id'], again?.body], [lost?.headers['webhook-id'], lost?.body])
  t.strictSame(next?.json.data.map(({ record }: any) => record.folio), ['KILL-2'])
  await until(async () => (await second.call(`webhooks/${id}/deliveries/`)).count === 2)
  await second.end()
})
