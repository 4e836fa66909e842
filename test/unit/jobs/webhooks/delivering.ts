import type { Test } from 'tap'
import { build, type Client, type TestServer } from '../../../support/helper.ts'
import { startReceiver, type Receiver } from '../../../support/webhook-receiver.ts'
import type { Config } from '../../../../src/config.ts'

/** A server that delivers, a Director, and a webhook to a receiver. */
export interface DeliveringServer extends TestServer {
  director: Client
  receiver: Receiver
  webhook: { id: number, secret: string }
  /** Creates a contract. @returns its id */
  contract: (folio: string) => Promise<number>
  /** Ends the pause before the next attempt, as if the time had passed. */
  retryNow: () => Promise<unknown>
  /** The state of the webhook's cursor. */
  cursor: () => Promise<any>
}

/** Headers of a failed answer that postpone the next attempt by an hour, so that the test decides when it begins. */
export const retryLater = { 'retry-after': '3600' }

/** Starts a server with a webhook. @param fields of the webhook besides its address */
export async function startDelivering (t: Test, fields: object = {}, config: Partial<Config> = {}): Promise<DeliveringServer> {
  const receiver = await startReceiver(t)
  const server = await build(t, config)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const director = await server.as('director@demo.example')
  const webhook = (await director.post('webhooks/', { url: receiver.url, ...fields })).json()
  return {
    ...server,
    director,
    receiver,
    webhook,
    contract: async folio => (await director.post('contracts/', { folio })).json().id,
    retryNow: async () => await server.psql('update webhook_cursors set next_attempt_at = null'),
    cursor: async () => (await server.psql('select * from webhook_cursors where webhook_id = $1', [webhook.id]))[0]
  }
}

/**
 * Calls a function before each transaction with a statement of this name. If it throws, the transaction fails.
 * @param step gets the names of the statements
 */
export function before ({ database: { sql } }: DeliveringServer, statement: string, step: (names: string[]) => unknown): void {
  const { within } = sql
  sql.within = async (...transaction) => {
    const names = transaction[2].map(({ name }) => name ?? '')
    if (names.includes(statement)) await step(names)
    return await within(...transaction)
  }
}

/** The folios in the deliveries, in the order in which they arrived. */
export function foliosOf ({ receiver }: DeliveringServer): string[] {
  return receiver.received.map(({ json: { data } }) => data.record.folio)
}
