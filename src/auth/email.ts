import { invisible } from '../http/invisible.ts'

/** Normalizes an email address to the form in which accounts are stored and looked up. */
export function normalizeEmail (email: string): string {
  return email.replace(invisible, '').trim().normalize('NFC').toLowerCase()
}
