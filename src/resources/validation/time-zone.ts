/** The time zone of a company that has not chosen one: that of most of Mexico. */
export const usualZone = 'America/Mexico_City'

/** Formats that print the offset of a time zone, by its name. There are about 600 names. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The name of a time zone in the IANA database, such as `America/Tijuana`, from a name in any case or an older name of it.
 * @returns undefined for other texts, offsets such as `-06:00` too
 */
export function canonicalZone (text: string): string | undefined {
  return /^[A-Za-z]/.test(text) ? formatOf(text)?.resolvedOptions().timeZone : undefined
}

function formatOf (zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone)
  if (known !== undefined) return known
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    if (format.resolvedOptions().timeZone === zone) formats.set(zone, format)
    return format
  } catch {
    return undefined
  }
}

/**
 * The offset of a time zone from UTC at a local time. If clocks are set back, a repeated time is the first one. If they are set forward, a
 * skipped time has the offset from before.
 * @param local ms since 1970, as if the local time were UTC
 * @returns ms, negative west of Greenwich; 0 for a name that is no time zone, which only the owner of the database can store
 */
export function offsetOf (zone: string, local: number): number {
  const format = formatOf(zone)
  if (format === undefined) return 0
  const [before, after] = [offsetAt(format, local - day), offsetAt(format, local + day)]
  if (before === after || offsetAt(format, local - before) === before) return before
  return offsetAt(format, local - after) === after ? after : before
}

const day = 24 * 60 * 60_000

function offsetAt (format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? []
  if (hours === undefined) return 0
  return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}
