import type { ClientBase, Query } from 'pg'
import type { Statement } from './sql.ts'

/** The driver's query in progress. Its types lack both. */
interface Active {
  _getActiveQuery: () => (Query & { _canceledDueToError: unknown }) | null
}

/**
 * Fails a commit whose wait for a synchronous standby was cancelled. PostgreSQL reports it as successful, with a warning. The error is
 * 40003, `statement_completion_unknown`: a failover may lose the commit.
 */
export function refuseUnreplicated (client: ClientBase): void {
  client.on('notice', ({ message, routine }) => {
    // The text of the warning depends on the database's language.
    const query = routine === 'SyncRepWaitForLSN' ? (client as ClientBase & Active)._getActiveQuery() : null // the driver's type lacks it
    if (query !== null) query._canceledDueToError = Object.assign(new Error(`the commit may be lost: ${message}`), { code: '40003' })
  })
}

/**
 * Lets the commit of the open transaction wait until standbys have all earlier commits too, although it writes nothing else. Use it in a
 * transaction that reports an earlier write again.
 */
export const awaitReplication: Statement = {
  name: 'await replication', text: "select pg_logical_emit_message(true, 'obra', '')", values: []
}
