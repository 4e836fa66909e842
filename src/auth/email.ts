/** Normalizes an email address to the form in which accounts are stored and looked up. */
export function normalizeEmail (email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
