/** Whether a text is a day of the calendar as `YYYY-MM-DD`, years 0001 to 9999. */
export function isDate (text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (match === null) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  if (year === 0 || month < 1 || month > 12 || day < 1) return false
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (days[month - 1] as number)
}

/** Whether a text is an instant: date, `T`, time with or without seconds (to the microsecond), `Z` or an offset; UTC without. */
export function isInstant (text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)?$/.exec(text)
  return match !== null && isDate(match[1] as string)
}

/** Whether a text is an email address, by the form that HTML prescribes (WHATWG HTML, "valid e-mail address") with a dot in the domain. */
export function isEmail (text: string): boolean {
  const at = text.lastIndexOf('@')
  const labels = text.slice(at + 1).split('.')
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/.test(text.slice(0, Math.max(at, 0))) && labels.length > 1 &&
    labels.every(label => /^[a-z0-9-]{1,63}$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'))
}

/** Whether a text is a UUID in its canonical form, lower case (RFC 9562, §4). */
export function isUuid (text: string): boolean {
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text)
}
