import { createHmac, hkdfSync } from 'node:crypto'

/** Gives an account, an address, or both a stable pseudonym, which reveals them only with the signing key. */
export type Names = (...parts: string[]) => string

/** @param secret the signing key. Another key gives other names. */
export function namesBy (secret: string): Names {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'who logs in from where', 32))
  return (...parts) => createHmac('sha256', key).update(parts.join(' ')).digest('base64url')
}
