import { ExactNumber } from './exact-json.ts'

/** Limit in characters, as in Django REST Framework. No field takes a whole number as long. */
const maxDigits = 1000

/**
 * Digits of a whole number, without plus sign and leading zeros. Accepts `7`, `"7"` and `" +07 "`, as Python's `int` does.
 * @returns undefined for any other value
 */
export function wholeDigits (value: unknown): string | undefined {
  const source = sourceOf(value)
  const [, sign, written] = /^\s*([+-]?)(\d+)\s*$/.exec(source) ?? []
  if (written === undefined) return undefined
  const digits = written.replace(/^0+(?=\d)/, '')
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

/** As {@link wholeDigits}; also accepts `7.0` and `"7."`, as Django REST Framework's `IntegerField` does. */
export function integerDigits (value: unknown): string | undefined {
  return wholeDigits(sourceOf(value).replace(/\.0*\s*$/, ''))
}

/** The number of these digits; an {@link ExactNumber} beyond the safe integers. */
export function wholeNumber (digits: string): number | ExactNumber {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : new ExactNumber(digits)
}

/** Source text of a number, or the text itself; empty for other types and beyond {@link maxDigits}. */
function sourceOf (value: unknown): string {
  const source = value instanceof ExactNumber ? value.source : typeof value === 'number' ? String(value) : value
  return typeof source === 'string' && source.length <= maxDigits ? source : ''
}
