import { InvalidArgumentError } from 'commander'
import { normalizeEmail } from '../auth/email.ts'
import { largestAccountId, recordId } from '../resources/declaration/conditions.ts'

/** The id of an account's record in an argument. */
export function id (value: string): number {
  const number = recordId(value)
  if (number === 0 || number > largestAccountId) throw new InvalidArgumentError('must be an id')
  return number
}

/** A name in an argument, in the form that it is kept in. */
export function name (value: string): string {
  const trimmed = value.trim().normalize('NFC')
  if (trimmed === '') throw new InvalidArgumentError('must not be blank')
  return trimmed
}

/** Whether a text is an email address; whether mail arrives there is another question. */
export function isEmail (value: string): boolean {
  return value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value)
}

/** An email address in an argument, in the form that accounts are kept by. */
export function email (value: string): string {
  const normal = normalizeEmail(value)
  if (!isEmail(normal)) throw new InvalidArgumentError('must be an email address')
  return normal
}
