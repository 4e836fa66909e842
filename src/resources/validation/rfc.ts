import { isDate } from './formats.ts'

// The SAT's: three letters for a legal person, four for a natural one; a date; the homoclave, whose last place is the check digit.
const shape = /^([A-ZÑ&]{3,4})(\d\d)(\d\d)(\d\d)([A-Z0-9]{2}[0-9A])$/

/** Tax ids for sales to the general public and to foreigners: they name nobody, and their digits check nothing. */
export const genericRfcs = ['XAXX010101000', 'XEXX010101000']

/** A tax id in its one form: upper case, without the spaces and hyphens that people write. */
export function normalizeRfc (text: string): string {
  return text.normalize('NFC').replace(/[\s-]/g, '').toUpperCase()
}

/**
 * Whether a normalised text has the shape and a date of a Mexican tax id (RFC: Código Fiscal de la Federación, art. 27; SAT's
 * catalogue). Its check digit is another matter: real ones fail it.
 */
export function isRfc (rfc: string): boolean {
  if (genericRfcs.includes(rfc)) return true
  const match = shape.exec(rfc)
  // The century is not written; 2000 is a leap year, as every year of two digits that 4 divides is in one of them.
  return match !== null && isDate(`20${match[2]}-${match[3]}-${match[4]}`)
}
