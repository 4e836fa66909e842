import { performance, type EventLoopUtilization } from 'node:perf_hooks'
import t from 'tap'
import { Pace } from '../../../plugins/shedding.ts'

const clock = { active: 0, idle: 0 }
const utilized = performance.eventLoopUtilization
t.teardown(() => { performance.eventLoopUtilization = utilized })
performance.eventLoopUtilization = (now: Partial<EventLoopUtilization> = clock, since: Partial<EventLoopUtilization> = {}) => {
  const [active, idle] = [(now.active ?? 0) - (since.active ?? 0), (now.idle ?? 0) - (since.idle ?? 0)]
  return { active, idle, utilization: active / (active + idle) }
}

/** Advances the clock by ms in which this many requests are answered. */
function pass (pace: Pace, { active = 0, idle = 0, answers = 0 }) {
  clock.active += active
  clock.idle += idle
  pace.answered += answers
}

t.test('the pace is that of the last 200 ms or more of work', async (t) => {
  const pace = new Pace()
  t.equal(pace.answersIn(1000), Infinity, 'before the first measurement')
  pass(pace, { active: 199, answers: 1000 })
  t.equal(pace.answersIn(1000), Infinity)
  pass(pace, { active: 51, idle: 40, answers: 0 })
  t.equal(pace.answersIn(1000), 4000)
  pass(pace, { active: 100, answers: 0 })
  t.equal(pace.answersIn(1000), 4000)
  pass(pace, { active: 100, answers: 10 })
  t.equal(pace.answersIn(1000), 50)
})

t.test('periods with little work do not count', async (t) => {
  const pace = new Pace()
  pass(pace, { active: 250, answers: 1000 })
  t.equal(pace.answersIn(1000), 4000)
  pass(pace, { active: 95_000, idle: 8 * 3_600_000, answers: 20 })
  t.equal(pace.answersIn(1000), 4000)
  pass(pace, { active: 250, answers: 500 })
  t.equal(pace.answersIn(1000), 2000)
})
