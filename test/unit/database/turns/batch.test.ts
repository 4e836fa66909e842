import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { batch } from '../../../../src/database/turns/batch.ts'
import { controlled } from './controlled-batch.ts'

type Step = { do: 'ask', count: number } | { do: 'turn' } | { do: 'answer', pick: number } | { do: 'fail', pick: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), pick: fc.nat(9) }) }
)

t.test('each request gets its own answer, in order and within the limits, for random requests and outcomes of batches', async (t) => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 8 }), fc.constantFrom(0, Infinity), async (steps, inFlight, maxRequests, patienceMs) => {
    const { ask, runs, tick, underWay } = controlled({ name: 'test', inFlight, maxRequests, patienceMs, refuseAfterMs: Infinity, requestWaitMs: Infinity })
    const cap = patienceMs === 0 ? inFlight + 1 : inFlight
    const requests: Array<{ at: number, outcome: Promise<number | Error> }> = []
    const check = (holds: boolean, what: string) => { if (!holds) throw new Error(what) }
    const failed = new Set<number>()
    const end = async (pick: number, how: 'answer' | 'fail') => {
      const open = underWay()
      const run = open[pick % open.length]
      if (run === undefined) return
      if (how === 'fail') for (const one of run.asks) failed.add(one)
      how === 'fail' ? run.fail(new Error('failed')) : run.answer()
      await nextTurn()
    }
    const ofOneTurn = async () => {
      const before = runs.length
      await nextTurn()
      check(runs.length - before <= 1, 'one run a turn')
    }

    for (const one of steps) {
      if (one.do === 'ask') for (let n = 0; n < one.count; n++) requests.push({ at: tick(), outcome: ask(requests.length).catch((error: Error) => error) })
      else if (one.do === 'turn') await ofOneTurn()
      else await end(one.pick, one.do)
      check(underWay().length <= cap, 'at maxRequests the permitted runs in flight')
    }
    // Finishes all work. No request may wait while a run could start.
    for (let n = 0; runs.flatMap(run => run.asks).length < requests.length; n++) {
      check(n < 500, 'every request runs')
      await ofOneTurn()
      if (underWay().length === cap) await end(n, 'answer')
    }
    while (underWay().length > 0) await end(0, 'answer')

    check(runs.flatMap(run => run.asks).every((one, index) => one === index), 'each request runs once, in order')
    check(runs.every(run => run.asks.length >= 1 && run.asks.length <= maxRequests), 'runs are neither empty nor too large')
    check(runs.every(run => run.asks.every(one => (requests[one] as { at: number }).at < run.startedAt)), 'nothing joins a run that started before it')
    for (const [index, { outcome }] of requests.entries()) {
      const result = await outcome
      check(failed.has(index) ? result instanceof Error : result === index * 10, 'each gets its own answer')
    }
  }), { numRuns: 150 })
  t.pass('order, one run a turn, runs in flight, size and freshness hold')
})

t.test('a single request runs in the same turn of the event loop', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 2, maxRequests: 10 })
  const answer = ask(7)
  t.equal(runs.length, 0)
  await nextTurn()
  t.same(runs.map(run => run.asks), [[7]])
  runs[0]?.answer()
  t.equal(await answer, 70)
})

t.test('requests that arrive while `inFlight` batches are in flight make the next batch larger', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 2, maxRequests: 100, patienceMs: Infinity, refuseAfterMs: Infinity })
  for (let one = 0; one < 20; one++) {
    ask(one).catch(() => {})
    await nextTurn()
  }
  t.same(runs.map(run => run.asks), [[0], [1]])
  runs[0]?.answer()
  await nextTurn()
  await nextTurn()
  t.same(runs.map(run => run.asks.length), [1, 1, 18])
})

t.test('a request repeated while its batch is in flight joins a new batch, since the first may return an older answer', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, maxRequests: 10 })
  const first = ask(7)
  await nextTurn()
  let isAnswered = false
  const again = ask(7).finally(() => { isAnswered = true })
  runs[0]?.answer()
  t.equal(await first, 70)
  await nextTurn()
  t.same([runs.map(run => run.asks), isAnswered], [[[7], [7]], false])
  runs[1]?.answer()
  t.equal(await again, 70)
})

t.test('after a failure caused by one request, each request of the batch is repeated separately, in order, with its own outcome', async (t) => {
  const seen: number[][] = []
  const ask = batch(async (asks: number[]) => {
    seen.push(asks)
    const bad = asks.find(one => one % 3 === 0)
    if (bad !== undefined) throw new Error(`bad ${bad}`)
    return asks
  }, { name: 'test', inFlight: 1, maxRequests: 10, isolates: error => (error as Error).message.startsWith('bad') })

  const outcomes = await Promise.allSettled([1, 2, 3, 4, 6].map(ask))
  t.same(seen, [[1, 2, 3, 4, 6], [1], [2], [3], [4], [6]])
  t.same(outcomes.map(outcome => outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message), [1, 2, 'bad 3', 4, 'bad 6'])
})

t.test('after any other failure all requests of the batch fail, without a retry', async (t) => {
  let runs = 0
  const ask = batch(async () => {
    runs++
    throw new Error('the database is gone')
  }, { name: 'test', inFlight: 1, maxRequests: 10, isolates: error => (error as Error).message.startsWith('bad') })
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
  t.equal(runs, 1)
  t.ok(outcomes.every(outcome => outcome.status === 'rejected' && outcome.reason.message === 'the database is gone'))
  await t.rejects(ask(4), { message: 'the database is gone' })
  t.equal(runs, 2, 'the next request runs')
})
