import t from 'tap'
import { busy } from '../answers.ts'
import { listen } from '../server.ts'
import { synced } from './phone.ts'

const server = await listen(t)
const results = async () => (await server.psql('select count(*)::int as n from mutations'))[0]?.['n']

t.test('a synchronization acknowledges the results of its last edits, once', async (t) => {
  const { store, network } = await synced(t, server)
  t.strictSame(network.acknowledged, [], 'a device without edits')
  await store.contracts.create({ folio: 'ACK-1' })
  await store.contracts.create({ folio: 'ON-2026-001' })
  await store.sync()
  await store.sync()
  t.strictSame([network.acknowledged, await results(), store.status.refused], [[2], 0, 1])
})

t.test('an acknowledgement that fails is sent with the next synchronization', async (t) => {
  const { store, network } = await synced(t, server)
  await store.contracts.create({ folio: 'ACK-2' })
  network.acknowledge = busy
  await store.sync()
  t.match([store.status, await results()], [{ pending: 0, error: undefined }, 1])
  network.acknowledge = () => { throw new TypeError('fetch failed') }
  await store.sync()
  network.acknowledge = undefined
  await store.sync()
  t.strictSame([network.acknowledged, await results()], [[1, 1, 1], 0])
})

t.test('the end of the store ends an acknowledgement', async (t) => {
  const { store, network } = await synced(t, server)
  await store.contracts.create({ folio: 'ACK-3' })
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>()
  network.acknowledge = async (request) => {
    sent()
    return await new Promise<Response>((_resolve, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
  }
  const ending = store.sync()
  await isSent
  const rejected = t.rejects(ending)
  await store.close()
  await rejected
})
