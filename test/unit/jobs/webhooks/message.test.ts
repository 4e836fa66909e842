import t from 'tap'
import { messageOf, pingOf } from '../../../../src/jobs/webhooks/message.ts'

const change = (id: number, record: string | null = `{"id":${id}}`) => ({ type: record === null ? 'contracts.deleted' : 'contracts.updated', revision: 40 + id, resource: 'contracts', id, at: `2026-03-01T00:00:0${id % 10}.000000Z`, record })

t.test('a delivery of one change', async (t) => {
  const { body, types, records } = messageOf(3, 1, 1, [change(2), change(3)])
  t.strictSame(JSON.parse(body), { type: 'contracts.updated', timestamp: '2026-03-01T00:00:02.000000Z', data: { company: 1, revision: 42, resource: 'contracts', id: 2, record: { id: 2 } } })
  t.strictSame([types, records], [['contracts.updated'], [{ resource: 'contracts', id: 2 }]])
  t.notOk('record' in JSON.parse(messageOf(3, 1, 1, [change(2, null)]).body).data)
})

t.test('a delivery of several changes is a list, each with its type', async (t) => {
  const { body, types, records } = messageOf(3, 1, 10, [change(2), change(3, null)])
  t.strictSame(JSON.parse(body), {
    type: 'changes',
    timestamp: '2026-03-01T00:00:03.000000Z',
    data: [
      { type: 'contracts.updated', timestamp: '2026-03-01T00:00:02.000000Z', company: 1, revision: 42, resource: 'contracts', id: 2, record: { id: 2 } },
      { type: 'contracts.deleted', timestamp: '2026-03-01T00:00:03.000000Z', company: 1, revision: 43, resource: 'contracts', id: 3 }
    ]
  })
  t.strictSame([types, records], [['contracts.updated', 'contracts.deleted'], [{ resource: 'contracts', id: 2 }, { resource: 'contracts', id: 3 }]])
  t.equal(JSON.parse(messageOf(3, 1, 10, [change(2)]).body).data.length, 1, 'also of a single one')
})

t.test('the id depends on webhook and content alone', async (t) => {
  const id = (webhook: number, record: string) => messageOf(webhook, 1, 1, [change(2, record)]).id
  t.equal(id(3, '{"id":2}'), id(3, '{"id":2}'))
  t.not(id(3, '{"id":2}'), id(4, '{"id":2}'))
  t.not(id(3, '{"id":2}'), id(3, '{"id":2,"version":2}'))
  t.match(id(3, '{}'), /^msg_[\w-]{43}$/)
  t.match(JSON.parse(pingOf(3, 1, new Date(0)).body), { type: 'ping', timestamp: '1970-01-01T00:00:00.000Z', data: { company: 1 } })
})

t.test('a body has at most 256 kB', async (t) => {
  const large = Array.from({ length: 100 }, (_, index) => change(index, JSON.stringify({ descripcion: 'ñ'.repeat(4000) })))
  const { body, records: { length: count } } = messageOf(3, 1, 100, large)
  t.ok(Buffer.byteLength(body) <= 256_000, String(Buffer.byteLength(body)))
  t.ok(count > 20 && count < 100, String(count))
  t.equal(JSON.parse(body).data.length, count)
})
