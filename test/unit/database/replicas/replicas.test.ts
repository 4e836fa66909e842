import t from 'tap'
import type { Replica } from '../../../../src/database/replicas/replica.ts'
import { Replicas } from '../../../../src/database/replicas/replicas.ts'
import type { Sql } from '../../../../src/database/connection/sql.ts'
import type { BatchRequest } from '../../../../src/database/turns/batch-requests.ts'

const sql = { query: async () => [{ position: 1 }] } as unknown as Sql
const at = { revision: 1, stamp: 1 }
const read = (company: number) => ({ query: { columns: [], text: '' }, company, values: [], at })

/** A replica that answers with its name. */
function fake (name: string, other: Partial<Replica> = {}): Replica {
  return { name, active: 0, mayAnswer: () => true, read: async () => [{ name }], notePrimary () {}, close: async () => {}, ...other } as Replica
}

t.test('reads at a revision go to the replica with the fewest reads, the same one for a company', async (t) => {
  const answers = async (list: Replica[], requests: BatchRequest[]) => {
    const replicas = new Replicas(list, sql)
    const turn = replicas.withReplicas(async () => [{ name: 'primary' }])
    const rows = await Promise.all(requests.map(turn))
    await replicas.close()
    return [...rows.map(([row]) => row?.['name']), replicas.primaryReads]
  }
  const both = [fake('a'), fake('b')]
  t.strictSame(await answers(both, [2, 3, 2, 3].map(read)), ['a', 'b', 'a', 'b', 0])
  t.strictSame(await answers([fake('a', { active: 3 }), fake('b', { active: 2 })], [2, 3].map(read)), ['b', 'b', 0])
  t.strictSame(await answers([fake('a', { mayAnswer: company => company === 3 }), fake('b', { active: 1 })], [2, 3].map(read)), ['b', 'a', 0])
  t.strictSame(await answers([fake('a', { mayAnswer: () => false })], [read(2)]), ['primary', 1])
  t.strictSame(await answers([fake('a', { read: async () => undefined })], [read(2)]), ['primary', 1], 'it has another revision or fails')
  t.strictSame(await answers(both, [{ ...read(2), at: undefined }]), ['primary', 0], 'a read without a revision')
  t.strictSame(await answers([], [read(2)]), ['primary', 0])
})

t.test('a read that failed after a long time at a replica is not repeated', async (t) => {
  let now = 0
  t.capture(performance, 'now', () => now)
  const replicas = new Replicas([fake('a', { read: async () => { now = 6000; return undefined } })], sql)
  t.teardown(async () => await replicas.close())
  await t.rejects(replicas.withReplicas(async () => [])(read(1)), { message: /^a replica failed after/ })
})
