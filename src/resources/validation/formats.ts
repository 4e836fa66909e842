import { offsetOf } from './time-zone.ts'

/** Whether a text is a date of the calendar as `YYYY-MM-DD`, years 0001 to 9999. */
export function isDate (text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number)
  if (year === 0 || month < 1 || month > 12 || day < 1) return false
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= days[month - 1]
}

/** Converts a date to `YYYY-MM-DD`. Accepts a single digit for month and day, as Django does. @returns undefined for an invalid date */
export function canonicalDate (text: string): string | undefined {
  const [, year, month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

/** Whether a text is a time: date, `T`, hours and minutes, optionally seconds (up to microseconds), and optionally `Z` or an offset. */
export function isInstant (text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?$/.exec(text)
  return match !== null && isDate(match[1])
}

const looseInstant = /^(\d{4}-\d{1,2}-\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,6})\d{0,6})?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/

/**
 * Converts a time to the form of {@link isInstant}. Accepts Django's variants: single digits, a space for the `T`, a decimal comma, more
 * digits than microseconds, an offset without colon. @returns undefined for an invalid time
 */
export function canonicalInstant (text: string): string | undefined {
  const [match, date = '', hour = '', minute = '', second = '0', fraction, zone = ''] = looseInstant.exec(text) ?? []
  if (match === undefined) return undefined
  const time = [hour, minute, second].map(part => part.padStart(2, '0')).join(':')
  const offset = zone.replace(/^(...):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
  const instant = `${canonicalDate(date)}T${time}${fraction === undefined ? '' : `.${fraction}`}${offset}`
  return isInstant(instant) ? instant : undefined
}

/**
 * Converts a time to UTC with microseconds, as answers have it.
 * @param zone time zone (IANA) of a time without an offset
 * @returns undefined for an invalid time, or one outside of the years 0001 to 9999
 */
export function utcInstant (text: string, zone: string): string | undefined {
  const [, time, micros = '', offset] = /^([^.Z]+?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/.exec(canonicalInstant(text) ?? '') ?? []
  if (time === undefined) return undefined
  const written = Date.parse(`${time}${offset ?? 'Z'}`)
  const utc = new Date(offset === undefined ? written - offsetOf(zone, written) : written).toISOString().slice(0, 19)
  return isInstant(`${utc}Z`) ? `${utc}.${micros.padEnd(6, '0')}Z` : undefined
}

/** Converts a SHA-256 hash to 64 hexadecimal digits in lower case. @returns undefined for other texts */
export function canonicalHash (text: string): string | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined
}

/** Whether a text is an email address in HTML's form (WHATWG HTML, "valid e-mail address"), with a dot in the domain. */
export function isEmail (text: string): boolean {
  const at = text.lastIndexOf('@')
  const labels = text.slice(at + 1).split('.')
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/.test(text.slice(0, Math.max(at, 0))) && labels.length > 1 &&
    labels.every(label => /^[a-z0-9-]{1,63}$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'))
}

/** Whether a text is a UUID in canonical form, lower case (RFC 9562, §4). */
export function isUuid (text: string): boolean {
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text)
}

/**
 * Converts a UUID to canonical form. Accepts the variants of Python's `uuid`: upper case, no hyphens, braces, URN.
 * @returns undefined for an invalid UUID
 */
export function canonicalUuid (text: string): string | undefined {
  const digits = text.toLowerCase().replace(/^urn:uuid:/, '').replace(/^\{(.*)\}$/s, '$1').replaceAll('-', '')
  const [, ...parts] = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(digits) ?? []
  return parts.length === 5 ? parts.join('-') : undefined
}
