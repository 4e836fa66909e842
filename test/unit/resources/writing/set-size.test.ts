import t from 'tap'
import { SetSize } from '../../../../src/resources/writing/set-size.ts'

/** Writes in sets as bulks do. @returns the attempts, each as the number of its writes */
function attempts (refused: readonly number[], count: number, size: SetSize): number[] {
  const tried: number[] = []
  for (let place = 0; place < count;) {
    const set = Array.from({ length: Math.min(size.next, count - place) }, (_, index) => place + index)
    tried.push(set.length)
    const isRefused = set.some(index => refused.includes(index))
    if (isRefused && set.length > 1) {
      size.failed(set.length)
      continue
    }
    if (isRefused) size.refused()
    else size.settled(set.length)
    place += set.length
  }
  return tried
}

t.test('finds refused writes in few attempts', async (t) => {
  t.strictSame(attempts([], 1000, new SetSize(1000)), [1000])
  t.strictSame(attempts([5], 8, new SetSize(8)), [8, 4, 2, 1, 1, 1, 1], 'a half that must have the refused write is not tried as a whole')
  t.strictSame(attempts([5], 8, new SetSize(8, 8)), [4, 2, 1, 1, 1, 1], 'neither are all of them, if it is known that they fail')
  t.strictSame(attempts([0, 1, 2, 3], 4, new SetSize(4)), [4, 2, 1, 1, 1, 1], 'dense ones are tried once each')
  const one = attempts([2500], 5000, new SetSize(5000))
  t.ok(one.length < 40, `${one.length} attempts`)
  t.ok(one.reduce((sum, size) => sum + size, 0) < 3 * 5000, 'with few writes in total')
})

t.test('after a write that lookups refuse, a set can have further ones', (t) => {
  const size = new SetSize(8)
  size.failed(8)
  size.failed(4)
  const next = [true, true, true, false, true].map((isKnown) => {
    size.refused(isKnown)
    return size.next
  })
  t.strictSame(next, [1, 2, 4, 1, 2])
  t.end()
})

t.test('a set has a maximum', async (t) => {
  t.strictSame(attempts([], 200, new SetSize(50)), [50, 50, 50, 50])
})
