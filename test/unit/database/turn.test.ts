import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { batch, Crowded, type BatchOptions } from '../../../src/database/turn.ts'

/** A batch whose runs the test answers or fails, and the requests of each run. */
function controlled (options: BatchOptions<number>) {
  const runs: Array<{ asks: number[], startedAt: number, answer: () => void, fail: (error: Error) => void, over: boolean }> = []
  let clock = 0
  const ask = batch(async (asks: number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>()
    const run = {
      asks,
      startedAt: clock++,
      over: false,
      answer () { run.over = true; resolve(asks.map(one => one * 10)) },
      fail (error: Error) { run.over = true; reject(error) }
    }
    runs.push(run)
    return await promise
  }, options)
  return { ask, runs, tick: () => clock++, underWay: () => runs.filter(run => !run.over) }
}

type Step = { do: 'ask', count: number } | { do: 'turn' } | { do: 'answer', pick: number } | { do: 'fail', pick: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), pick: fc.nat(9) }) }
)

t.test('with random requests and outcomes of runs', async (t) => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 8 }), fc.constantFrom(0, 1000), async (steps, inFlight, most, patience) => {
    const { ask, runs, tick, underWay } = controlled({ name: 'test', inFlight, most, patience })
    const cap = patience === 0 ? inFlight + 1 : inFlight
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
      check(underWay().length <= cap, 'at most the permitted runs in flight')
    }
    // Finishes all work. No request may wait while a run could start.
    for (let n = 0; runs.flatMap(run => run.asks).length < requests.length; n++) {
      check(n < 500, 'every request runs')
      await ofOneTurn()
      if (underWay().length === cap) await end(n, 'answer')
    }
    while (underWay().length > 0) await end(0, 'answer')

    check(runs.flatMap(run => run.asks).every((one, index) => one === index), 'each request runs once, in order')
    check(runs.every(run => run.asks.length >= 1 && run.asks.length <= most), 'runs are neither empty nor too large')
    check(runs.every(run => run.asks.every(one => (requests[one] as { at: number }).at < run.startedAt)), 'nothing joins a run that started before it')
    for (const [index, { outcome }] of requests.entries()) {
      const result = await outcome
      check(failed.has(index) ? result instanceof Error : result === index * 10, 'each gets its own answer')
    }
  }), { numRuns: 150 })
  t.pass('order, one run a turn, runs in flight, size and freshness hold')
})

t.test('a single request runs in the same turn of the event loop', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 2, most: 10 })
  const answer = ask(7)
  t.equal(runs.length, 0)
  await nextTurn()
  t.same(runs.map(run => run.asks), [[7]])
  runs[0]?.answer()
  t.equal(await answer, 70)
})

t.test('requests that arrive while all runs are in flight make the next run larger', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 2, most: 100 })
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

t.test('a request repeated while its run is in flight joins a new run, since the first may return an older answer', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, most: 10 })
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

t.test('a request does not wait for a slow run in flight', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 1, most: 10, patience: 20 })
  const first = ask(1)
  await nextTurn()
  await sleep(30)
  const second = ask(2)
  await nextTurn()
  t.same(runs.map(({ asks }) => asks), [[1], [2]])
  for (const run of underWay().reverse()) run.answer()
  t.same(await Promise.all([first, second]), [10, 20])
})

t.test('a single request behind a slow run starts when the patience ends, without another event', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 2, most: 1, patience: 20 })
  const answers = [1, 2, 3].map(ask)
  while (runs.length < 3) await sleep(5)
  t.same(runs.map(({ asks }) => asks), [[1], [2], [3]])
  for (const run of underWay()) run.answer()
  t.same(await Promise.all(answers), [10, 20, 30])
})

t.test('a request with a deadline starts earlier if the patience frees a place', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 1, most: 1, patience: 100, longest: Infinity, bound: 5000 })
  const answers = [ask(1), ask(2)]
  while (runs.length < 2) await sleep(5)
  answers.push(ask(3))
  await nextTurn()
  runs[0]?.answer()
  const since = performance.now()
  while (runs.length < 3) await sleep(5)
  t.ok(performance.now() - since < 1000, 'although the second run continues and no other request arrives')
  for (const run of underWay()) run.answer()
  t.same(await Promise.all(answers), [10, 20, 30])
})

t.test('slow runs permit one run more than inFlight, and no second one', async (t) => {
  const { ask, runs, underWay } = controlled({ name: 'test', inFlight: 2, most: 1, patience: 10, longest: Infinity })
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

t.test('a request that waits beyond its bound is refused without another event, and later ones run', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, most: 10, patience: Infinity, longest: Infinity, bound: 40 })
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

t.test('after a failure caused by one request, each request of the run is repeated separately, in order, with its own outcome', async (t) => {
  const seen: number[][] = []
  const ask = batch(async (asks: number[]) => {
    seen.push(asks)
    const bad = asks.find(one => one % 3 === 0)
    if (bad !== undefined) throw new Error(`bad ${bad}`)
    return asks
  }, { name: 'test', inFlight: 1, most: 10, isolates: error => (error as Error).message.startsWith('bad') })

  const outcomes = await Promise.allSettled([1, 2, 3, 4, 6].map(ask))
  t.same(seen, [[1, 2, 3, 4, 6], [1], [2], [3], [4], [6]])
  t.same(outcomes.map(outcome => outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message), [1, 2, 'bad 3', 4, 'bad 6'])
})

t.test('after any other failure all requests of the run fail, without a retry', async (t) => {
  let runs = 0
  const ask = batch(async () => {
    runs++
    throw new Error('the database is gone')
  }, { name: 'test', inFlight: 1, most: 10, isolates: error => (error as Error).message.startsWith('bad') })
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
  t.equal(runs, 1)
  t.ok(outcomes.every(outcome => outcome.status === 'rejected' && outcome.reason.message === 'the database is gone'))
  await t.rejects(ask(4), { message: 'the database is gone' })
  t.equal(runs, 2, 'the next request runs')
})

t.test('while the oldest waiting request is overdue, new ones are refused immediately, and the others are answered', async (t) => {
  const { ask, runs } = controlled({ name: 'test', inFlight: 1, most: 2, longest: 30 })
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

t.test('requests of a repeated run keep their deadlines: overdue ones are refused, the others wait for the next run', async (t) => {
  let isLocked = true
  const runs: number[][] = []
  const deadlines = new Map([[1, performance.now() + 60]])
  const ask = batch(async (asks: number[]) => {
    runs.push(asks)
    if (isLocked) throw new Error('locked')
    return asks.map(one => one * 10)
  }, {
    name: 'test',
    inFlight: 1,
    most: 2,
    patience: Infinity,
    longest: Infinity,
    repeats: () => isLocked,
    deadlineOf: one => deadlines.get(one),
    async admit (run) {
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
