import fc from 'fast-check'
import t from 'tap'
import { isDate, isInstant } from '../../../../src/resources/validation/formats.ts'

const two = (number: number) => String(number).padStart(2, '0')
const date = fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
  .map(([year, month, day]) => ({ year, month, day, text: `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}` }))

/** The expected result: whether JavaScript's calendar returns the same day. */
function exists ({ year, month, day }: { year: number, month: number, day: number }): boolean {
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day)
  return year > 0 && at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
}

t.test('a date is a day that exists', async (t) => {
  fc.assert(fc.property(date, date => isDate(date.text) === exists(date)), { numRuns: 3000 })
  for (const text of ['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31']) t.ok(isDate(text), text)
  for (const text of ['2023-02-29', '1900-02-29', '2026-02-30', '2026-04-31', '0000-01-01', '2026-1-1', '26-01-01', '12026-01-01', '2026/01/01', '01-01-2026', '2026-01-01T00:00:00Z', '2026-01-01\n', '２０２６-01-01', 'today', '']) t.notOk(isDate(text), text)
})

const time = fc.tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
const zone = fc.oneof(fc.constant('Z'), fc.tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 59 })).map(([sign, hours, minutes]) => `${sign}${two(hours)}:${two(minutes)}`))
const fraction = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 999_999 }).map(micros => `.${micros}`))

t.test('an instant is a day that exists, a time and a zone', async (t) => {
  fc.assert(fc.property(date, time, fraction, zone, (date, [hour, minute, second], fraction, zone) => {
    const text = `${date.text}T${two(hour)}:${two(minute)}:${two(second)}${fraction}${zone}`
    return isInstant(text) === (exists(date) && hour < 24 && minute < 60 && second < 60)
  }), { numRuns: 3000 })
  t.pass('3000 texts')
})
