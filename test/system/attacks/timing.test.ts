import fc from 'fast-check'
import t from 'tap'
import { randomFrom } from '../../support/trial/random.ts'
import type { Client } from '../../support/helper.ts'
import type { Victim } from '../walls/victim.ts'
import { compareTimes, mannWhitney } from './timing.ts'

const seeds = fc.integer({ min: 1, max: 2 ** 31 })
const shape = fc.record({ seed: seeds, n: fc.integer({ min: 20, max: 200 }), m: fc.integer({ min: 20, max: 200 }) })

/** Simulated response times: a minimum, and a long tail. */
function times (seed: number, count: number, shift = 0): number[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => 1 + shift - Math.log(1 - random()) / 5)
}

t.test('p agrees with published tables', async (t) => {
  const rank = (from: number, step: number) => Array.from({ length: 20 }, (_, index) => from + step * index)
  // U 0 of 400 is z 5.41; U 190 is z 0.27; 1.96 standard deviations leave 5 %.
  t.ok(mannWhitney(rank(1, 1), rank(21, 1)) < 1e-7, 'no overlap')
  t.ok(Math.abs(mannWhitney(rank(1, 2), rank(2, 2)) - 0.787) < 0.002, 'alternating values')
  t.ok(Math.abs(mannWhitney(rank(0, 1), rank(0, 1)) - 1) < 1e-6, 'the same values, in pairs')
  t.ok(Math.abs(mannWhitney(Array(30).fill(1), Array(30).fill(1)) - 1) < 1e-6, 'all values equal')
})

t.test('p is between 0 and 1, symmetric, and independent of the order and scale of the values', async (t) => {
  t.doesNotThrow(() => fc.assert(fc.property(shape, seeds, ({ seed, n, m }, other) => {
    const [one, two] = [times(seed, n), times(other, m, 0.02)]
    const p = mannWhitney(one, two)
    const same = (value: number) => Math.abs(value - p) < 1e-6
    return p >= -1e-6 && p <= 1 + 1e-6 && same(mannWhitney(two, one)) && same(mannWhitney(one.toReversed(), two)) && same(mannWhitney(one.map(x => x * 8), two.map(x => x * 8)))
  }), { numRuns: 50 }))
})

t.test('for equal distributions, the share of false positives is close to the significance level', async (t) => {
  const trials = 500
  const ps = Array.from({ length: trials }, (_, index) => mannWhitney(times(2 * index + 1, 60), times(2 * index + 2, 60)))
  for (const level of [0.5, 0.2, 0.05]) {
    const found = ps.filter(p => p < level).length / trials
    t.ok(Math.abs(found - level) < 4 * Math.sqrt(level * (1 - level) / trials), `${found} at ${level}`)
  }
})

t.test('a shift of a quarter of the standard deviation is detected in 3,000 values each, in both directions', async (t) => {
  t.doesNotThrow(() => fc.assert(fc.property(seeds, fc.boolean(), (seed, before) => {
    const [one, other] = [times(seed, 3000, before ? 0.05 : 0), times(seed ^ 0x5555, 3000, before ? 0 : 0.05)]
    return mannWhitney(one, other) < 1e-6
  }), { numRuns: 20 }))
})

t.test('a server that is slower for another tenant\'s record is detected, for that kind of request only', async (t) => {
  const victim = { id: 11, contraparte: 12, estimate: 13, external_id: 'erp-suyo' } as Victim
  const busy = () => { for (let end = performance.now() + 0.3; performance.now() < end;); }
  const answer = async () => undefined as never
  const client = {
    get: async (url: string) => {
      if (url === 'contracts/11/tree/') busy()
      return await answer()
    },
    send: answer,
    post: answer
  } as unknown as Client
  const found = await compareTimes(client, victim, 60)
  t.equal(found.length, 6)
  for (const { what, p, differenceUs } of found) {
    if (what === 'GET contracts/{id}/tree/') t.ok(p < 1e-9 && differenceUs > 200, `${what}: ${p}, ${differenceUs} µs`)
    else t.ok(p > 1e-9, `${what}: ${p}`)
  }
})
