import type { ClientBase, Query } from 'pg'
import type { Statement } from './sql.ts'

/** The driver's query in progress. Its types lack both. */
interface Active {
  _getActiveQuery: () => (Query & { _canceledDueToError: unknown }) | null
}

/**
 * Lets commits fail that PostgreSQL reports as successful although a synchronous standby may lack them: those whose wait for the standby was
 * cancelled. It only warns of them. Their error is 40003, `statement_completion_unknown`: a failover may lose the commit or not.
 */
export function refuseUnreplicated (client: ClientBase): void {
  client.on('notice', ({ message, routine }) => {
    // The text of the warning depends on the database's language.
    const query = routine === 'SyncRepWaitForLSN' ? (client as unknown as Active)._getActiveQuery() : null
    if (query !== null) query._canceledDueToError = Object.assign(new Error(`the commit may be lost: ${message}`), { code: '40003' })
  })
}

/**
 * Lets the commit of the open transaction wait until standbys have all earlier commits too, although it writes nothing else. A transaction
 * needs it that acknowledges an earlier write again.
 */
export const awaitReplication: Statement = { name: 'await replication', text: "select pg_logical_emit_message(true, 'obra', '')", values: [] }
