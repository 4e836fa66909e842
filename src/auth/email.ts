/** An email address in the one form that accounts are kept and looked up by. */
export function normalizeEmail (email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
