import { signatures, type Secrets } from '../../domain/webhooks/secrets.ts'
import type { Message } from './message.ts'
import type { Outcome, Sender } from './send.ts'

/** Where a webhook sends to, and its secrets, encrypted. */
export interface Receiver {
  url: string
  secrets: string
}

/**
 * Sends a delivery with the headers of Standard Webhooks. It fails without a request if the secrets were encrypted with another key.
 * @throws the reason of the signal
 */
export async function sendSigned (
  sender: Sender, secrets: Secrets, receiver: Receiver, { id, body }: Message, signal?: AbortSignal
): Promise<Outcome> {
  const opened = secrets.open(receiver.secrets)
  if (opened === undefined) return { status: null, ms: 0, body: '', error: 'the secret was encrypted with another WEBHOOK_KEY: rotate it' }
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Obra-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(opened, id, timestamp, body)
  }
  return await sender.send(receiver.url, headers, body, signal)
}
