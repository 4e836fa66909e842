import { plainText } from './convert.ts'
import { isDate } from './formats.ts'

// As defined by the SAT: three letters (company) or four (person), a date, and the homoclave, whose last character is the check digit.
const shape = /^([A-ZÑ&]{3,4})(\d\d)(\d\d)(\d\d)([A-Z0-9]{2}[0-9A])$/

/** Tax ids for sales to the general public and to foreigners. They have no valid check digit. */
export const genericRfcs = ['XAXX010101000', 'XEXX010101000']

/** Normalizes a tax id: upper case, without spaces and hyphens. @returns undefined as {@link plainText} */
export function normalizeRfc (text: string): string | undefined {
  return plainText(text)?.replace(/[\s-]/g, '').toUpperCase()
}

/**
 * Whether a normalized text has the form and a valid date of a Mexican tax id (RFC: Código Fiscal de la Federación, art. 27; SAT's
 * catalogue). Does not verify the check digit, because some real tax ids fail it.
 */
export function isRfc (rfc: string): boolean {
  if (genericRfcs.includes(rfc)) return true
  const match = shape.exec(rfc)
  // The century is missing. 2000 is a leap year, so February 29 is valid for every year divisible by 4.
  return match !== null && isDate(`20${match[2]}-${match[3]}-${match[4]}`)
}
