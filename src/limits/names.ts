import { createHmac, hkdfSync } from 'node:crypto'

/** Names an account, an address, or both: always the same, and telling neither to who has no signing key. */
export type Names = (...parts: string[]) => string

/** @param secret a signing key; what is named under another one has other names */
export function namesBy (secret: string): Names {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'who logs in from where', 32))
  return (...parts) => createHmac('sha256', key).update(parts.join(' ')).digest('base64url')
}
