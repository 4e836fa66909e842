import t from 'tap'
import { retryPauseSeconds } from '../../../../src/jobs/webhooks/schedule.ts'

t.test('pauses grow up to an hour, ±20 %', async (t) => {
  t.strictSame([1, 2, 3, 4, 5, 6, 100].map(failures => retryPauseSeconds(failures, undefined, 0.5)), [5, 30, 120, 600, 1800, 3600, 3600])
  t.strictSame([0, 1].map(random => Math.round(retryPauseSeconds(1, undefined, random))), [4, 6])
  for (let times = 0; times < 100; times++) t.ok(Math.abs(retryPauseSeconds(1) - 5) <= 1)
})

t.test('Retry-After replaces the schedule, from a second to an hour', async (t) => {
  t.strictSame([0, 90_000, 3_600_000, 7_200_000].map(ms => retryPauseSeconds(3, ms)), [1, 90, 3600, 3600])
})
