import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { Semaphore } from '../../../../src/database/turns/semaphore.ts'
import { Crowded } from '../../../../src/database/turns/crowded.ts'

interface Work {
  key: number
  state: 'waiting' | 'running' | 'done'
  /** Number of starts for other keys while this was first in its queue. */
  overtakenBy: number[]
  end: () => void
  fail: () => void
  outcome: Promise<unknown>
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const), key: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('end' as const, 'fail' as const), pick: fc.nat(20) }) }
)

t.test('random work and outcomes', async (t) => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 }), fc.boolean(), async (steps, size, perKey, perGroup, isGrouped) => {
    const semaphore = new Semaphore<number>({ name: 'test', size, perKey, perGroup })
    const groupOf = (key: number) => isGrouped ? key % 2 : key
    // The limit of a group counts while there is another one.
    for (const key of [0, 1]) await semaphore.run(key, Infinity, async () => {}, groupOf(key))
    /** Groups that started since a waiting group was served, by the waiting one. */
    const passed = new Map<number, number[]>()
    const all: Work[] = []
    const check = (holds: boolean, what: string) => { if (!holds) throw new Error(what) }
    const of = (state: Work['state'], key?: number) => all.filter(work => work.state === state && (key === undefined || work.key === key))

    const running = (group: number) => of('running').filter(({ key }) => groupOf(key) === group).length

    function run (key: number): void {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const work: Work = { key, state: 'waiting', overtakenBy: [], end: resolve, fail: () => reject(new Error('failed')), outcome: Promise.resolve() }
      all.push(work)
      const number = all.length
      const startable = (other: number) => of('running', other).length < perKey && running(groupOf(other)) < perGroup
      work.outcome = semaphore.run(key, Infinity, async () => {
        check(work.state === 'waiting', 'is started once')
        check(of('waiting', key)[0] === work, 'in order of arrival within a key')
        // Work started at the same moment may still count as waiting; it has not overtaken.
        passed.delete(groupOf(key))
        const overtaken = all.filter(other => other.state === 'waiting' && other.key !== key && of('waiting', other.key)[0] === other && startable(other.key))
        for (const other of overtaken.filter(other => groupOf(other.key) === groupOf(key))) other.overtakenBy.push(key)
        for (const group of new Set(overtaken.map(other => groupOf(other.key)).filter(group => group !== groupOf(key)))) passed.set(group, [...passed.get(group) ?? [], groupOf(key)])
        work.state = 'running'
        try {
          await promise
          return number
        } finally {
          work.state = 'done'
        }
      }, groupOf(key)).then(answer => { check(answer === number, 'gets its own answer') }, (error: Error) => { check(error.message === 'failed', error.message) })
    }

    async function holds (): Promise<void> {
      await nextTurn()
      check(of('running').length <= size, 'the limit of all keys')
      for (const group of [0, 1, 2, 3]) check(running(group) <= perGroup, 'the limit per group')
      for (const groups of passed.values()) check(groups.length === new Set(groups).size, 'a group is overtaken by another at most once')
      for (const key of [0, 1, 2, 3]) {
        check(of('running', key).length <= perKey, 'the limit per key')
        check((semaphore.active.get(key) ?? 0) === of('running', key).length, 'the active work of each key is counted')
        if (of('running').length < size) check(of('waiting', key).length === 0 || of('running', key).length === perKey || running(groupOf(key)) === perGroup, 'nothing waits while a slot is free')
      }
      for (const { overtakenBy } of all) check(overtakenBy.length === new Set(overtakenBy).size, 'a key is overtaken by another of its group at most once')
    }

    for (const one of steps) {
      if (one.do === 'run') run(one.key)
      else {
        const running = of('running')
        running[one.pick % running.length]?.[one.do]()
      }
      await holds()
    }
    for (let next = of('running')[0]; next !== undefined; next = of('running')[0]) {
      next.end()
      await holds()
    }
    await Promise.all(all.map(async ({ outcome }) => await outcome))
    check(of('done').length === all.length, 'all are settled')
  }), { numRuns: 200 })
  t.pass('limits, order, fairness and outcomes hold')
})

t.test('only overdue waiters are refused, and no slot is lost', async (t) => {
  const semaphore = new Semaphore<string>({ name: 'tests', size: 1, perKey: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = semaphore.run('a', Infinity, async () => { await promise })
  const soon = performance.now() + 20
  const overdue = [semaphore.run('a', soon, async () => 1), semaphore.run('b', soon, async () => 2)]
  const patient = semaphore.run('b', performance.now() + 60_000, async () => 3)
  const outcomes = await Promise.allSettled(overdue)
  for (const outcome of outcomes) t.strictSame(outcome, { status: 'rejected', reason: new Crowded('tests waited too long') })
  t.equal(semaphore.active.has('b'), false)
  resolve()
  t.equal(await patient, 3)
  await first
  await sleep(1)
  t.equal(semaphore.active.size, 0)
  t.equal(await semaphore.run('a', 0, async () => 4), 4, 'work that does not wait is never overdue')
})

t.test('work of a key that has too many waiting is refused at once, and the others go on', async (t) => {
  const semaphore = new Semaphore<string>({ name: 'tests', size: 1, perKey: 1, waitingPerKey: 2, key: 'otherExports' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = async (key: string) => await semaphore.run(key, Infinity, async () => { await promise; return key })
  const accepted = [work('a'), work('a'), work('a'), work('b')]
  await t.rejects(work('a'), new Crowded('too many tests wait', { key: 'otherExports' }))
  resolve()
  t.strictSame(await Promise.all(accepted), ['a', 'a', 'a', 'b'])
  t.equal(await work('a'), 'a', 'there is room again')
})
