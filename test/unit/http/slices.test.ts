import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Slices } from '../../../src/http/slices.ts'

/** Queue with a clock of its own, whose slices and rests are noted. */
function noted () {
  const log: string[] = []
  let now = 0
  const { begin } = new Slices(async () => {
    log.push('rest')
    await nextTurn()
  }, () => now)
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
