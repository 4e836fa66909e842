import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { httpError } from '../../http/errors.ts'

/** A secret of a webhook. */
export interface SigningSecret {
  /** `whsec_` and base64. */
  secret: string
  /** Unix time in ms until which it signs beside newer ones. Null for the present one. */
  until: number | null
}

const prefix = 'whsec_'

/** Time in ms for which a rotated secret still signs. */
const overlap = 24 * 60 * 60 * 1000

/** Most signatures of a delivery. Earlier secrets end sooner. */
const mostSecrets = 5

/** A new secret of 256 bits. */
export function newSecret (): string {
  return prefix + randomBytes(32).toString('base64')
}

/** Encrypts the secrets of webhooks with AES-256-GCM, so that a copy of the database does not reveal them. */
export class Secrets {
  readonly #keys: Buffer[]

  /** @param keys the present key and former ones, which only decrypt */
  constructor (...keys: string[]) {
    this.#keys = keys.map(key => Buffer.from(hkdfSync('sha256', key, '', 'obra webhooks', 32)))
  }

  /** @param secrets the present one last */
  seal (secrets: SigningSecret[]): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0], iv)
    const bytes = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64')
  }

  /** @returns undefined if it was sealed with another key */
  open (sealed: string): SigningSecret[] | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    for (const key of this.#keys) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(12, 28))
      try {
        return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString())
      } catch {
        // Another key may have sealed it.
      }
    }
    return undefined
  }
}

/** @throws {HttpError} 503 without a key */
export function requireSecrets (secrets: Secrets | undefined): Secrets {
  if (secrets === undefined) throw httpError(503, { key: 'webhookKeyMissing' })
  return secrets
}

/** Adds a new secret. The present one signs for another 24 hours. */
export function rotated (secrets: SigningSecret[], now = Date.now()): SigningSecret[] {
  const former = valid(secrets, now).map(({ secret, until }) => ({ secret, until: until ?? now + overlap }))
  return [...former.slice(1 - mostSecrets), { secret: newSecret(), until: null }]
}

function valid (secrets: SigningSecret[], now: number): SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now)
}

/**
 * The value of `webhook-signature` (Standard Webhooks): one signature per valid secret, the present one first.
 * @param id value of `webhook-id`
 * @param timestamp Unix time in seconds, as in `webhook-timestamp`
 */
export function signatures (secrets: SigningSecret[], id: string, timestamp: number, body: string): string {
  return valid(secrets, timestamp * 1000).reverse().map(({ secret }) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  }).join(' ')
}
