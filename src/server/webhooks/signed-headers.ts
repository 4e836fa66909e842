import { signatures, type Secrets } from '../../domain/webhooks/secrets.ts'
import type { Message } from './message.ts'
import type { Outcome } from './send.ts'

/** The outcome of a delivery whose secret cannot be read. */
export const unreadable: Outcome = { status: null, ms: 0, body: '', error: 'the secret was encrypted with another WEBHOOK_KEY: rotate it' }

/**
 * The headers of a delivery (Standard Webhooks).
 * @param sealed the secrets of the webhook, encrypted
 * @returns undefined if the secrets were encrypted with another key
 */
export function signedHeaders (secrets: Secrets, sealed: string, { id, body }: Message): Record<string, string> | undefined {
  const opened = secrets.open(sealed)
  if (opened === undefined) return undefined
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': 'Obra-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(opened, id, timestamp, body)
  }
}
