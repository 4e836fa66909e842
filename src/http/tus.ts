import type { IncomingMessage } from 'node:http'

/**
 * Whether a request is one of tus (https://tus.io/protocols/resumable-upload). Its clients, such as tus-js-client and tus-java-client, give
 * up after 408 and 429, so they get 503 instead.
 */
export function isTus ({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['tus-resumable'] !== undefined
}
