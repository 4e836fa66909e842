import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { exportLengths, exportSlices, inProgress, requestSlices, Slices } from '../../../src/http/slices.ts'

/** Queue with a clock of its own, whose slices and rests are noted. */
function noted () {
  const log: string[] = []
  let now = 0
  const { begin } = new Slices(async () => {
    log.push('rest')
    await nextTurn()
  }, { sliceMs: 2, freeMs: 1 }, () => now)
  return {
    log,
    begin,
    /** A computation that has so many slices after its free time. */
    async compute (caller: string, name: string, slices: number) {
      const pause = begin(caller)
      for (let slice = 0; slice < slices; slice++) {
        now += 10
        await pause()
        log.push(name)
      }
    }
  }
}

t.test('callers take turns, however many computations each has, and the first of a caller runs first', async (t) => {
  const { log, compute } = noted()
  const many = Array.from({ length: 24 }, async (_, index) => await compute('customer 1', `a${index}`, 2))
  await Promise.all([...many, compute('customer 2', 'b', 3), compute('user 3', 'c', 1)])
  const order = log.filter(entry => entry !== 'rest')
  t.strictSame(order.slice(0, 6), ['a0', 'b', 'c', 'a0', 'b', 'a1'])
  t.strictSame(order.filter(name => name.startsWith('a')), Array.from({ length: 48 }, (_, slice) => `a${Math.floor(slice / 2)}`), 'one after the other')
})

t.test('each slice is followed by a rest before the next slice of any caller', async (t) => {
  const { log, compute } = noted()
  await Promise.all([compute('customer 1', 'slice', 3), compute('customer 1', 'slice', 3), compute('customer 2', 'slice', 3)])
  await nextTurn()
  t.strictSame(log, ['rest', ...Array.from({ length: 9 }, () => ['slice', 'rest']).flat()])
})

t.test('a short computation waits for no other', async (t) => {
  const { compute, begin } = noted()
  const long = compute('customer 1', 'long', 3)
  t.equal(begin('customer 1')(), undefined)
  await long
})

/** Runs exports in a process whose rests take so long. @returns the part of the time that the exports run */
async function partOf (exports: number, restMs: number): Promise<number> {
  let now = 0
  let busy = 0
  const { begin } = new Slices(async () => {
    now += restMs
    await nextTurn()
  }, exportLengths, () => now)
  await Promise.all(Array.from({ length: exports }, async (_, customer) => {
    const pause = begin(`customer ${customer}`)
    for (let rows = 0; rows < 2000; rows++) {
      await pause()
      now += 0.125
      busy += 0.125
    }
  }))
  return busy / now
}

t.test('exports have a part of a busy process, the same for one and for many exports', async (t) => {
  for (const [restMs, part] of [[1, 1 / 3], [4, 1 / 5], [20, 1 / 5], [95, 1 / 20]] as const) {
    for (const exports of [1, 3]) {
      const found = await partOf(exports, restMs)
      t.ok(Math.abs(found / part - 1) < 0.05, `${exports} exports, rests of ${restMs} ms: ${found} of the time`)
    }
  }
})

t.test('a slice of a request keeps its length after a long rest', async (t) => {
  let now = 0
  const { begin } = new Slices(async () => {
    now += 100
    await nextTurn()
  }, undefined, () => now)
  const pause = begin('customer 1')
  now += 1
  await pause()
  now += 1
  t.equal(pause(), undefined)
  now += 1
  const next = pause()
  t.ok(next instanceof Promise, 'the slice ends after 2 ms')
  await next
})

const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

for (const { name, queue, requests, rests } of [
  { name: 'an export', queue: exportSlices, requests: 0, rests: false },
  { name: 'an export', queue: exportSlices, requests: 1, rests: true },
  { name: 'a computation of a request', queue: requestSlices, requests: 1, rests: false },
  { name: 'a computation of a request', queue: requestSlices, requests: 2, rests: true }
]) {
  t.test(`${name} ${rests ? 'rests' : 'does not rest'} (requests in progress: ${requests})`, async (t) => {
    t.teardown(() => { inProgress.requests = 0 })
    const pause = queue.begin('customer 1')
    inProgress.requests = requests
    const before = timers()
    let next: Promise<void> | undefined
    while (next === undefined) next = pause()
    t.equal(timers() - before, rests ? 1 : 0, 'a rest is a timer')
    inProgress.requests = 0
    await next
    // The queue ends its slice and rests once more.
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  })
}
