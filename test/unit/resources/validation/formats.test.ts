import fc from 'fast-check'
import t from 'tap'
import { isDate, isInstant, utcInstant } from '../../../../src/resources/validation/formats.ts'

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

t.test('a time is converted to UTC with microseconds, by its offset or its time zone', async (t) => {
  for (const [text, zone, utc] of [
    ['2026-03-01T15:04:05Z', 'America/Mexico_City', '2026-03-01T15:04:05.000000Z'],
    ['2026-03-01 23:04:05.123456-06:00', 'UTC', '2026-03-02T05:04:05.123456Z'],
    ['2026-03-01T15:04', 'UTC', '2026-03-01T15:04:00.000000Z'],
    ['2026-07-01T15:04', 'America/Mexico_City', '2026-07-01T21:04:00.000000Z'],
    ['2022-07-01T15:04', 'America/Mexico_City', '2022-07-01T20:04:00.000000Z'],
    ['2026-07-01T15:04:05.5', 'America/Tijuana', '2026-07-01T22:04:05.500000Z'],
    ['0001-01-01T00:00:00.5Z', 'UTC', '0001-01-01T00:00:00.500000Z'],
    ['9999-12-31T23:59:59.999999Z', 'UTC', '9999-12-31T23:59:59.999999Z']
  ] as const) t.equal(utcInstant(text, zone), utc, `${text} ${zone}`)
  for (const [text, zone] of [
    ['2026-02-29T00:00:00Z', 'UTC'], ['0001-01-01T00:00:00+01:00', 'UTC'], ['9999-12-31T23:59:59-01:00', 'UTC'],
    ['9999-12-31T23:59', 'America/Mexico_City'], ['0001-01-01T00:00', 'Asia/Tokyo']
  ] as const) t.equal(utcInstant(text, zone), undefined, `${text} ${zone}`)
})

t.test('if clocks change, a repeated time is the first one, and a skipped time has the offset from before', async (t) => {
  t.equal(utcInstant('2026-11-01T01:30', 'America/Tijuana'), '2026-11-01T08:30:00.000000Z')
  t.equal(utcInstant('2026-11-01T02:30', 'America/Tijuana'), '2026-11-01T10:30:00.000000Z')
  t.equal(utcInstant('2026-03-08T01:30', 'America/Tijuana'), '2026-03-08T09:30:00.000000Z')
  t.equal(utcInstant('2026-03-08T02:30', 'America/Tijuana'), '2026-03-08T10:30:00.000000Z')
  t.equal(utcInstant('2026-03-08T03:30', 'America/Tijuana'), '2026-03-08T10:30:00.000000Z')
})

t.test('the local time of an instant leads back to it, except while clocks are set back', async (t) => {
  const zones = fc.constantFrom('America/Mexico_City', 'America/Tijuana', 'America/Cancun', 'Europe/Madrid', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')
  fc.assert(fc.property(zones, fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (zone, date) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    const localOf = (time: number | Date) => format.format(time).replace(' ', 'T')
    const local = localOf(date)
    const back = Date.parse(utcInstant(local, zone) ?? '')
    const difference = Math.floor(date.getTime() / 1000) * 1000 - back
    return difference === 0 || (difference > 0 && localOf(back) === local)
  }))
})
