import { InvalidArgumentError } from 'commander'
import { largestAccountId, plainText, recordId } from '../resources/validation/convert.ts'
import { normalizeEmail } from '../resources/validation/email.ts'
import { isDate } from '../resources/validation/formats.ts'

/** Parses the id of an account record. */
export function id (value: string): number {
  const number = recordId(value)
  if (number === 0 || number > largestAccountId) throw new InvalidArgumentError('must be an id')
  return number
}

/** Parses a day, `YYYY-MM-DD`. */
export function day (value: string): string {
  if (!isDate(value)) throw new InvalidArgumentError('must have the form YYYY-MM-DD')
  return value
}

/** Parses and normalizes a name. */
export function name (value: string): string {
  const plain = plainText(value)
  if (plain === undefined) throw new InvalidArgumentError('must not have more than 30 combining marks in a row')
  if (plain === '') throw new InvalidArgumentError('must not be blank')
  return plain
}

/** Whether a text has the form of an email address. */
function isEmail (value: string): boolean {
  return value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value)
}

/** Parses and normalizes an email address. */
export function email (value: string): string {
  const normal = normalizeEmail(value)
  if (normal === undefined || !isEmail(normal)) throw new InvalidArgumentError('must be an email address')
  return normal
}

/** A user, named by the id or by the email address. */
export type UserName = { id: number } | { email: string }

/** Parses the id or the email address of a user. */
export function userName (value: string): UserName {
  return /^\d+$/.test(value) ? { id: id(value) } : { email: email(value) }
}
