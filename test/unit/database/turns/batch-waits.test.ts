import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { batch } from '../../../../src/database/turns/batch.ts'
import { Crowded } from '../../../../src/database/turns/crowded.ts'
import { until } from '../../../support/until.ts'
import { controlled } from './controlled-batch.ts'

t.test('a request does not wait for a batch that has been in flight longer than `patienceMs`', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 1, maxRequests: 10, patienceMs: 20 })
  const first = ask(1)
  await nextTurn()
  await sleep(30)
  const second = ask(2)
  await nextTurn()
  t.same(runs.map(({ asks }) => asks), [[1], [2]])
  for (const run of underWay().reverse()) run.answer()
  t.same(await Promise.all([first, second]), [10, 20])
})

t.test('a request that waits behind slow batches starts after `patienceMs`, even if no batch ends and no other request arrives', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 2, maxRequests: 1, patienceMs: 20 })
  const answers = [1, 2, 3].map(ask)
  while (runs.length < 3) await sleep(5)
  t.same(runs.map(({ asks }) => asks), [[1], [2], [3]])
  for (const run of underWay()) run.answer()
  t.same(await Promise.all(answers), [10, 20, 30])
})

t.test('a waiting request starts when `patienceMs` permits another batch, long before its deadline', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 1, maxRequests: 1, patienceMs: 100, refuseAfterMs: Infinity, requestWaitMs: Infinity })
  const answers = [ask(1), ask(2)]
  while (runs.length < 2) await sleep(5)
  answers.push(ask(3))
  await nextTurn()
  runs[0]?.answer()
  await until(() => runs.length === 3)
  t.equal(underWay().length, 2, 'although the second run continues and no other request arrives')
  for (const run of underWay()) run.answer()
  t.same(await Promise.all(answers), [10, 20, 30])
})

t.test('slow batches permit one batch more than `inFlight`, and no second one', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 2, maxRequests: 1, patienceMs: 10, refuseAfterMs: Infinity })
  const answers = []
  for (let one = 0; one < 12; one++) {
    answers.push(ask(one))
    await sleep(10)
    t.ok(underWay().length <= 3)
  }
  t.equal(underWay().length, 3)
  while (underWay().length > 0) {
    underWay()[0]?.answer()
    await sleep(2)
    t.ok(underWay().length <= 3)
  }
  t.same(await Promise.all(answers), answers.map((_, one) => one * 10))
  t.equal(runs.length, 12)
})

t.test('a request that waits longer than `requestWaitMs` is refused, even if no batch ends and no other request arrives, and later ones run', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, maxRequests: 10, patienceMs: Infinity, refuseAfterMs: Infinity, requestWaitMs: 40 })
  const first = ask(1)
  await nextTurn()
  await t.rejects(ask(2), new Crowded('too many requests wait for the database'))
  const late = ask(3)
  runs[0]?.answer()
  t.strictSame([await first, runs.length], [10, 1])
  await nextTurn()
  runs[1]?.answer()
  t.equal(await late, 30)
  t.same(runs.map(({ asks }) => asks), [[1], [3]])
})

t.test('while the oldest waiting request is overdue, new ones are refused immediately, and the others are answered', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, maxRequests: 2, patienceMs: Infinity, refuseAfterMs: 30 })
  const first = [ask(1), ask(2)]
  await nextTurn()
  const waiting = [ask(3), ask(4), ask(5)]
  await sleep(40)
  await t.rejects(ask(6), new Crowded('too many requests wait for the database'))
  runs[0]?.answer()
  t.strictSame(await Promise.all(first), [10, 20])
  await nextTurn()
  await t.rejects(ask(6), new Crowded('too many requests wait for the database'), 'the fifth is overdue too')
  runs[1]?.answer()
  await nextTurn()
  await nextTurn()
  const next = ask(7)
  runs[2]?.answer()
  await nextTurn()
  await nextTurn()
  runs[3]?.answer()
  t.strictSame(await Promise.all([...waiting, next]), [30, 40, 50, 70])
})

t.test('requests of a repeated batch keep their deadlines: overdue ones are refused, the others wait for the next batch', async (t) => {
  let isLocked = true
  const runs: number[][] = []
  const deadlines = new Map([[1, performance.now() + 1000]])
  const ask = batch(async (asks: number[]) => {
    runs.push(asks)
    if (isLocked) throw new Error('locked')
    return asks.map(one => one * 10)
  }, {
    name: 'test',
    inFlight: 1,
    maxRequests: 2,
    patienceMs: Infinity,
    refuseAfterMs: Infinity,
    repeats: () => isLocked,
    deadlineOf: one => deadlines.get(one),
    async delay (run) {
      await sleep(10)
      await run()
    }
  })
  const first = ask(1)
  await sleep(30)
  const others = [ask(2), ask(3)]
  await t.rejects(first, new Crowded('too many requests wait for the database'))
  isLocked = false
  t.same(await Promise.all(others), [20, 30])
  t.ok(runs.some(asks => asks.join() === '1,2'))
  t.same(runs.at(-1), [2, 3])
  deadlines.set(4, performance.now() + 5000).set(5, performance.now() + 4000)
  await Promise.all([ask(4), ask(5)])
  t.same(runs.at(-1), [5, 4], 'in the order of their deadlines')
})
