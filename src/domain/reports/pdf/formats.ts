import type { Language } from '../../../http/messages.ts'
import { mapNames, namesIn } from '../../../http/names.ts'

/** The locale of each language. */
export const locales = { es: 'es-MX', en: 'en-US' } as const satisfies Record<Language, string>

/**
 * A decimal as documents show it.
 * @param decimal with places, such as `-1234.50`
 * @param isSubtracted whether to show the opposite sign
 * @returns it with commas between thousands, such as `-1,234.50`. Zero has no sign.
 */
export function grouped (decimal: string, isSubtracted = false): string {
  const [, sign, digits = '', places = ''] = /^(-?)(\d+)(\.\d+)$/.exec(decimal) ?? []
  const isZero = /^0*$/.test(digits + places.slice(1))
  const isNegative = !isZero && (sign === '-') !== isSubtracted
  return `${isNegative ? '-' : ''}${digits.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${places}`
}

/** A percentage as documents show it. @param decimal in percent, such as `5.00`, or null if unknown @returns such as `5.00 %`, or a dash */
export function percent (decimal: string | null): string {
  return decimal === null ? '—' : `${grouped(decimal)} %`
}

// A formatter takes 0.5 ms to make, and a statement has thousands of days.
const days = mapNames(namesIn(locales), language => new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeZone: 'UTC' }))

/** A day as documents show it. @param day in ISO 8601, or null if unknown @returns such as `28 feb 2026`, or a dash */
export function dayIn (language: Language, day: string | null): string {
  return day === null ? '—' : days[language].format(Date.parse(day))
}

/** A period as documents show it. @param first in ISO 8601, or null if unknown, as `last` @returns both days, or a dash if none is known */
export function daysIn (language: Language, first: string | null, last: string | null): string {
  if (first === null && last === null) return '—'
  return [first, last].map(day => day === null ? '…' : dayIn(language, day)).join(' – ')
}

/** Text that a column can break: longer words would leave the page. @returns the text with a space after each 40 characters of a word */
export function wrapped (text: string): string {
  return text.replaceAll(/\S{40}/g, '$& ')
}
