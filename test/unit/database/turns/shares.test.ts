import t from 'tap'
import { divideConnections, groupOf, isolatingPool, loneSql, untilUnlocked } from '../../../../src/database/turns/shares.ts'
import { Crowded, maxWaitMs } from '../../../../src/database/turns/crowded.ts'
import type { BatchQuery, BatchRequest } from '../../../../src/database/turns/batch-requests.ts'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import { fakeDatabase, quick, settle } from './fake-database.ts'

const [unnamed, named] = [{ columns: [], text: 'slow' }, { name: 'slow', slow: true, columns: [], text: 'slow' }]
const slow = (company: number, query: BatchQuery = unnamed): BatchRequest => ({ company, values: [], query })

t.test('slow work leaves connections to other work', async (t) => {
  for (const connections of [4, 5, 6, 7, 8, 9, 10, 11, 12, 25, 1000]) {
    const shares = divideConnections(connections)
    let taken = 0
    for (const share of [shares.slowReads, shares.slowWrites, shares.lone]) {
      for (let holder = 0; holder < connections; holder++) share.run(holder, 0, async () => { taken++; await new Promise(() => {}) }).catch(() => {})
    }
    await settle()
    t.ok(connections - taken >= (connections >= 8 ? 3 : connections >= 5 ? 2 : 1), `${taken} of ${connections}`)
  }
})

t.test('one company leaves connections of each share to others, in pools of seven or more', async (t) => {
  const never = async () => await new Promise<void>(() => {})
  const taken = (share: 'slowReads' | 'slowWrites', connections: number, companies: number[]) => {
    const shares = divideConnections(connections)
    return companies.map(company => {
      let held = 0
      for (let n = 0; n < connections; n++) shares[share].run(company, 0, async () => { held++; await never() }).catch(() => {})
      return () => held
    })
  }
  for (let connections = 4; connections <= 12; connections++) {
    for (const share of ['slowReads', 'slowWrites'] as const) {
      const [first, second] = taken(share, connections, [1, 2]) as [() => number, () => number]
      await settle()
      t.equal(first() > 0 && second() > 0, connections >= isolatingPool || (share === 'slowReads' && connections === 6), `${share} of ${connections}: ${first()} and ${second()}`)
    }
    const { retries, slowWrites } = divideConnections(connections)
    let held = 0
    for (let company = 1; company <= 12; company++) retries.run(company, 0, async () => await slowWrites.run(company, 0, async () => { held++; await never() })).catch(() => {})
    await settle()
    let isFirst = false
    slowWrites.run(0, 0, async () => { isFirst = true }).catch(() => {})
    await settle()
    t.equal(isFirst, connections >= isolatingPool, `a first attempt besides ${held} retries of ${connections}`)
  }
})

t.test('the companies of one customer leave connections of each share to others, in pools of seven or more', async (t) => {
  for (const connections of [7, 10, 25]) {
    const shares = divideConnections(connections)
    for (const share of [shares.slowReads, shares.slowWrites]) {
      let [own, others] = [0, 0]
      const hold = async (count: () => void) => { count(); await new Promise<void>(() => {}) }
      await share.run(99, performance.now() + 1000, async () => {}, groupOf(99))
      for (let company = 1; company <= connections; company++) share.run(company, 0, async () => await hold(() => { own++ }), groupOf(1)).catch(() => {})
      await settle()
      for (let company = 1; company <= connections; company++) share.run(100 + company, 0, async () => await hold(() => { others++ }), groupOf(100 + company)).catch(() => {})
      await settle()
      t.ok(own > 0 && others > 0 && own <= others + 1, `${own} for the companies of one customer, ${others} for others`)
    }
  }
})

t.test('the companies of the only customer use all connections of a share', async (t) => {
  const { slowWrites } = divideConnections(10)
  const taken = async (from: number) => {
    let held = 0
    const release = Promise.withResolvers<void>()
    const work = Array.from({ length: 10 }, async (_, n) => await slowWrites.run(from + n, performance.now() + 1000, async () => { held++; await release.promise }, groupOf(1)))
    await settle()
    const taken = held
    release.resolve()
    await Promise.all(work)
    return taken
  }
  t.equal(await taken(0), 2)
  await slowWrites.run(100, performance.now() + 1000, async () => {}, groupOf(2))
  t.equal(await taken(20), 1)
  const now = performance.now.bind(performance)
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  performance.now = () => now() + 10 * 60_000
  t.equal(await taken(40), 2, 'five minutes after the last work of the other')
})

t.test('units of locked companies leave connections to other companies of their customer, also the next ones', async (t) => {
  const shares = divideConnections(10)
  const lockTimeout = Object.assign(new Error('lock timeout'), { code: '55P03' })
  let isLocked = true
  let [running, most] = [0, 0]
  const attempt = async () => {
    most = Math.max(most, ++running)
    await settle()
    running--
    if (isLocked) throw lockTimeout
  }
  // Each of these has no time for a second attempt, like a unit that waited for another one of its company.
  for (const round of [1, 2, 3]) {
    const retries: boolean[] = []
    await Promise.allSettled(Array.from({ length: 10 }, async (_, n) => await untilUnlocked(shares, n, performance.now() + 1000, async (isRetry) => {
      retries.push(isRetry)
      await attempt()
    }, groupOf(n))))
    t.ok(round === 1 || retries.every(Boolean), `round ${round}`)
    if (round === 1) most = 0
  }
  t.equal(most, 1, 'retries one at a time')
  isLocked = false
  await untilUnlocked(shares, 1, performance.now() + 1000, attempt, groupOf(1))
  t.notOk(shares.locked.has(1))
})

t.test('the time limit of a unit of work is far from the time of the largest request, on any pool', async (t) => {
  for (const connections of [1, 4, 10, 100]) t.equal(divideConnections(connections).unitTimeout, 30_000)
})

t.test('slow reads of one company leave connections to others, and common reads do not wait', async (t) => {
  const { sql, underWay, of } = fakeDatabase()
  const read = readTurn(sql, divideConnections(10))
  const answers = Array.from({ length: 20 }, async (_, n) => await read(slow(1, n % 2 === 0 ? unnamed : named)))
  await settle()
  t.equal(of(1), 2)
  answers.push(read(slow(2)), read(slow(2)))
  await settle()
  t.strictSame([of(1), of(2)], [2, 1])
  answers.push(read(quick(3)))
  await settle()
  t.equal(of(3), 1)
  for (const one of [1, 2]) {
    underWay.find(({ companies }) => companies.includes(1))?.answer()
    await settle()
    t.equal(of(1) + of(2), 3, String(one))
  }
  t.strictSame([of(1), of(2)], [1, 2], 'not all 18 waiting reads of company 1')
  while (underWay.length > 0) {
    t.ok(underWay.length <= 4)
    underWay[0]?.answer()
    await settle()
  }
  t.equal((await Promise.all(answers)).length, 23)
})

t.test('slow reads of two companies of one customer leave a connection to another', async (t) => {
  const { sql, underWay, of } = fakeDatabase()
  const read = readTurn(sql, divideConnections(10))
  const earlier = read({ ...slow(3), customer: groupOf(2) })
  await settle()
  underWay[0]?.answer()
  await earlier
  const answers = Array.from({ length: 12 }, async (_, n) => await read({ ...slow(1 + n % 2), customer: groupOf(1) }))
  await settle()
  t.strictSame([of(1), of(2)], [1, 1], 'its companies take turns')
  answers.push(read({ ...slow(3), customer: groupOf(2) }))
  await settle()
  t.equal(of(3), 1)
  while (underWay.length > 0) {
    t.ok(of(1) + of(2) <= 2)
    underWay[0]?.answer()
    await settle()
  }
  t.equal((await Promise.all(answers)).length, 13)
})

t.test('single statements share their connections', async (t) => {
  const { sql, underWay } = fakeDatabase()
  const lone = loneSql(sql, divideConnections(10))
  const answers = Array.from({ length: 12 }, async () => await lone.query({ text: 'select', values: [[]] }))
  await settle()
  t.equal(underWay.length, 2)
  while (underWay.length > 0) {
    underWay[0]?.answer()
    await settle()
    t.ok(underWay.length <= 2)
  }
  t.equal((await Promise.all(answers)).length, 12)
})

t.test('a single statement that gets no lock within 10 s is refused', async (t) => {
  const { sql } = fakeDatabase()
  const now = performance.now.bind(performance)
  t.teardown(() => Reflect.deleteProperty(performance, 'now'))
  const query = async () => {
    performance.now = () => now() + maxWaitMs
    throw Object.assign(new Error('lock timeout'), { code: '55P03' })
  }
  await t.rejects(loneSql({ ...sql, query }, divideConnections(10)).query({ text: 'select', values: [] }), new Crowded('another session holds a lock', { key: 'otherWrites' }))
})
