import type { Socket } from 'node:net'
import type { ClientBase } from 'pg'

/**
 * Gives a connection up on which nothing has come or gone for so long: its host is lost, and what waits for an answer fails. The socket's own
 * timer costs nothing; the driver's, one a statement, keeps what a statement holds from being collected young.
 * @param timeout milliseconds, longer than a statement may take and than a connection may lie idle in the pool
 */
export function expectAnswers (client: ClientBase, timeout: number): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.setTimeout(timeout, () => stream.destroy(Object.assign(new Error(`the database has not answered for ${timeout / 1000} s`), { code: 'ETIMEDOUT' })))
}
