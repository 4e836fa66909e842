import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import t, { type Test } from 'tap'
import { replicaCheck } from '../../../../src/database/connection/orm.ts'
import { ReplicaLag } from '../../../../src/database/replicas/replica-lag.ts'
import { Replica } from '../../../../src/database/replicas/replica.ts'
import { requestRows } from '../../../../src/database/turns/batch-requests.ts'
import { until } from '../../../support/until.ts'

const query = { name: 'test', columns: [], text: `select i from ${requestRows([])}` }
const request = { query, company: 1, values: [], at: { revision: 1, stamp: 1 } }

/** A replica whose probes return the fields of a row. */
function replicaOf (t: Test, row: object, connect: () => Promise<never>, options: object = { host: '10.0.0.2', port: 5433 }): Replica {
  const pool = Object.assign(new EventEmitter(), { options, connect, query: async () => ({ rows: [{ ...row }] }), end: async () => {} }) as unknown as Pool
  const replica = new Replica({ pool, check: replicaCheck(), connections: 4, migration: '1' })
  t.teardown(async () => await replica.close())
  return replica
}

const usable = { position: 1, is_migrated: true }
const refused = async () => { throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }

t.test('a replica whose reads fail although its probes succeed is tried after growing pauses', async (t) => {
  const replica = replicaOf(t, usable, refused)
  t.equal(replica.name, '10.0.0.2:5433')
  const times: number[] = []
  replica.health.on('returned', () => times.push(performance.now()))
  await until(async () => {
    if (replica.health.isAvailable) t.equal(await replica.read(request), undefined)
    return times.length === 4
  })
  const pauses = times.slice(1).map((time, index) => time - times[index])
  t.ok(pauses.every((pause, index) => pause > 490 * 2 ** index), `at least 0.5, 1 and 2 s: ${pauses.join(', ')} ms`)
  t.ok(pauses[0] < pauses[2])
  t.match(replica.reads, { answered: 0, stale: 0 })
})

t.test('a replica that cannot be used says why', async (t) => {
  for (const [row, message] of [[{ position: null, is_migrated: true }, /it is no replica/], [{ position: 1, is_migrated: false }, /lacks the last migration/]] as const) {
    const replica = replicaOf(t, row, refused, { host: '/run/postgresql', port: 5432 })
    const reasons: unknown[] = []
    replica.health.on('left', reason => reasons.push(reason))
    await until(() => reasons.length > 0)
    await sleep(700)
    t.match(reasons, [{ message }], 'once')
    t.equal(replica.mayAnswer(1), false)
    t.equal(replica.name, '/run/postgresql')
  }
})

t.test('reads in progress end when the replica is left out', async (t) => {
  const row = { ...usable }
  const replica = replicaOf(t, row, async () => await new Promise<never>(() => { row.is_migrated = false }))
  await until(() => replica.health.isAvailable)
  const answers: unknown[] = []
  for (let number = 0; number < 5; number++) replica.read(request).then(rows => answers.push(rows))
  t.equal(replica.active, 5)
  await until(() => answers.length === 5)
  t.strictSame(answers, Array(5).fill(undefined))
  t.equal(replica.active, 0)
})

t.test('the lag is the time since the primary was where the replica is', async (t) => {
  const lag = new ReplicaLag()
  t.equal(lag.seconds, 0)
  lag.notePrimary(10)
  lag.notePrimary(20)
  await sleep(20)
  t.ok(lag.seconds > 0)
  lag.noteReplica(20)
  t.equal(lag.seconds, 0)
  lag.notePrimary(30)
  lag.notePrimary(5)
  lag.noteReplica(5)
  t.equal(lag.seconds, 0, 'positions went back, as after a restore')
})
