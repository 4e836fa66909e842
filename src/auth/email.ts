import { plainText } from '../http/plain-text.ts'

/** Normalizes an email address to the form in which accounts are stored and looked up. */
export function normalizeEmail (email: string): string {
  return plainText(email).toLowerCase()
}
