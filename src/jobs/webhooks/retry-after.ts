/** Longest pause in seconds. */
const longest = 3600

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date in one of the formats of HTTP that end with `GMT`.
 * @param now ms since 1970
 * @returns ms from 0 to one hour. undefined if the value is invalid
 */
export function retryAfter (value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : secondsUntil(value, now)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longest) * 1000
}

function secondsUntil (date: string, now: number): number {
  // `Date.parse` alone also accepts texts such as `1.5` and `next May 1`.
  return /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(date) ? (Date.parse(date) - now) / 1000 : NaN
}
