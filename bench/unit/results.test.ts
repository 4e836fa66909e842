import t from 'tap'
import type { Measured } from '../load.ts'
import { doubts, figuresOf, rowOf, table } from '../results.ts'
import { workloads, yardstickWorkloads } from '../../src/trial/workloads.ts'

const measured: Measured = {
  rate: 100,
  p50: 2,
  p99: 9,
  answers: 50,
  bytes: 10,
  requests: 60,
  errors: 0,
  memory: 2 ** 20,
  serverCores: 0.5,
  loadCores: 0.2,
  otherCores: 0.1
}
const at = (...rates: number[]) => rates.map(rate => ({ ...measured, rate }))
const [detail] = workloads.filter(({ name }) => name === 'detail')
const [bulk] = workloads.filter(({ name }) => name === 'bulk')
const [yardstick] = yardstickWorkloads(Buffer.of())

t.test('a ratio compares rates of one round, so a machine that changes its speed does not change the ratio', async (t) => {
  // The machine takes twice as long in the second half.
  const bare = [at(1000, 1000, 500, 500), at(4000, 4000, 2000, 2000)]
  const row = rowOf(detail, 'obra', at(100, 100, 50, 50), bare)
  t.match(row, { rate: 50, ratios: { serialized: 0.1, bytes: 0.025 }, spread: 0, memory: 2 ** 20, requests: 240 })
  t.match(figuresOf([row]), { 'obra: detail': { ratio: 0.1, 'ratio to bytes': 0.025, 'requests/s': 50, 'service µs': 10_000, MB: 1 } })
  t.match(table([row]), /^obra: detail {2,}0.10 {2,}0 % {2,}0.0250 {2,}50 /m)
  t.strictSame(doubts([row, rowOf(yardstick, undefined, bare[0], bare)]), [])
})

t.test('rates count records, and doubts name rows whose rounds differ and other programs', async (t) => {
  const bare = [at(1000, 1000, 1000, 1000), at(1000, 1000, 1000, 1000)]
  const row = rowOf(bulk, undefined, at(1, 2, 3, 4), bare)
  t.match(row, { rate: 2000, ratios: { serialized: 2 }, spread: 0.5 })
  const busy = bare[0].map(one => ({ ...one, otherCores: 0.5 }))
  t.strictSame(doubts([row, rowOf(yardstick, undefined, busy, bare)]), [
    'other programs used 0.5 cores during the yardsticks', 'the ratios of bulk deviate by 50 %'
  ])
})
