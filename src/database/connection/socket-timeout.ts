import type { ClientBase } from 'pg'
import { socketOf } from './postgres-sql.ts'

/**
 * Closes a connection without traffic for `timeout`, for example because the host is lost. Pending statements then fail. The driver's own
 * timeout needs a timer per statement, which keeps memory alive longer than the socket's timer.
 * @param timeout ms, longer than any statement and than the pool keeps idle connections
 */
export function expectAnswers (client: ClientBase, timeout: number): void {
  const socket = socketOf(client)
  socket.setTimeout(timeout, () => {
    const error = new Error(`the database has not answered for ${timeout / 1000} s`)
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  })
}
