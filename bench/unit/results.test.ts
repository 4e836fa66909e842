import t from 'tap'
import type { Measured } from '../load.ts'
import { doubts, figuresOf, rowOf, table, type Rounds } from '../results.ts'
import { workloads, yardstickWorkloads } from '../../test/support/trial/workloads.ts'

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

t.test('a row compares what was measured in one round, so the speed of the machine does not change it', async (t) => {
  // The machine takes twice as long in the last two rounds.
  const bare = { serialized: at(1000, 1000, 500, 500), bytes: at(4000, 4000, 2000, 2000) }
  const row = rowOf({ workload: detail, service: 'obra', measured: at(100, 100, 50, 50), bare }, 1000)
  t.match(row, { rate: 100, p99: 6.75, ratios: { serialized: 0.1, bytes: 0.025 }, spread: 0, memory: 2 ** 20, requests: 240 })
  t.match(figuresOf([row]), { 'obra: detail': { ratio: 0.1, 'ratio to bytes': 0.025, 'requests/s': 100, 'service µs': 5000, MB: 1 } })
  t.match(table([row]), /^obra: detail {2,}0.10 {2,}0 % {2,}0.0250 {2,}100 /m)
  t.strictSame(doubts([row, rowOf({ workload: yardstick, measured: bare.serialized, bare }, 1000)]), [])
})

t.test('rates count records, and doubts name rows whose rounds differ, and other programs in a single round', async (t) => {
  const bare: Rounds['bare'] = { serialized: at(1000, 1000, 1000, 1000), bytes: at(1000, 1000, 1000, 1000) }
  const row = rowOf({ workload: bulk, measured: at(1, 2, 3, 4), bare }, 1000)
  t.match(row, { rate: 2500, ratios: { serialized: 2.5 }, spread: 0.4 })
  const busy = bare.serialized.map((one, round) => ({ ...one, otherCores: round === 1 ? 0.5 : 0 }))
  t.strictSame(doubts([row, rowOf({ workload: yardstick, measured: busy, bare }, 1000)]), [
    'other programs used 0.5 cores during the yardsticks', 'the ratios of bulk deviate by 40 %'
  ])
})
