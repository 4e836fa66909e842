import t from 'tap'
import { retryAfter } from '../../../../src/jobs/webhooks/retry-after.ts'

const now = Date.UTC(2026, 4, 1, 12, 0, 0)

t.test('seconds, up to an hour', async (t) => {
  for (const [value, ms] of [['0', 0], ['7', 7000], ['3600', 3_600_000], ['3601', 3_600_000], ['9'.repeat(400), 3_600_000]] as const) t.equal(retryAfter(value, now), ms, value)
})

t.test('a date, from now up to an hour', async (t) => {
  t.equal(retryAfter('Fri, 01 May 2026 12:00:30 GMT', now), 30_000)
  t.equal(retryAfter('Friday, 01-May-26 12:00:30 GMT', now), 30_000)
  t.equal(retryAfter('Thu, 30 Apr 2026 12:00:00 GMT', now), 0, 'past')
  t.equal(retryAfter('Sat, 01 May 2027 12:00:00 GMT', now), 3_600_000, 'far')
})

t.test('other values do not count', async (t) => {
  for (const value of [undefined, '', '-1', '1.5', '1e3', '0x10', '5 s', 'soon', 'May 1', '2026-05-01T12:00:30Z', 'Fri, 41 May 2026 12:00:30 GMT', 'Fri, 01 Foo 2026 12:00:30 GMT', 'Fri, 01 May 2026 12:00:30 PST', '١٢']) {
    t.equal(retryAfter(value, now), undefined, String(value))
  }
})
