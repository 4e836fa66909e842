import { plainText } from './convert.ts'

/** Normalizes an email address to the form in which accounts are stored and looked up. @returns undefined as {@link plainText} */
export function normalizeEmail (email: string): string | undefined {
  return plainText(email)?.toLowerCase()
}
