import { retrying } from '../database/connection/postgres-sql.ts'
import type { Sql } from '../database/connection/sql.ts'
import { batch } from '../database/turns/batch.ts'
import { maxWaitMs } from '../database/turns/crowded.ts'
import { tokenHash } from './claims.ts'

interface Use {
  sid: string
  /** The `jti` of the access token. */
  jti: string
}

/**
 * Makes a function that records the first use of an access token, before its request is answered. From then on, the refresh token before it
 * is no longer repeated (decision 41). One statement records all uses that arrive together.
 */
export function recordUses (sql: Sql): (use: Use) => Promise<void> {
  return batch(async (uses: Use[]) => {
    // All processes lock the tokens in this order.
    const sorted = uses.toSorted((a, b) => a.sid < b.sid ? -1 : 1)
    await retrying(async () => await sql.query({
      name: 'use tokens',
      text: `
        with used as materialized (
          select r.session_id, r.hash
          from unnest($1::uuid[], $2::text[]) q (sid, access)
          cross join lateral (
            select session_id, hash from refresh_tokens
            where session_id = q.sid and unused_access = decode(q.access, 'hex') offset 0 for update) r)
        update refresh_tokens r set unused_access = null from used where r.session_id = used.session_id and r.hash = used.hash`,
      values: [sorted.map(({ sid }) => sid), sorted.map(({ jti }) => tokenHash(jti).toString('hex'))]
    }), performance.now() + maxWaitMs)
    return uses.map(() => undefined)
  }, { name: 'uses', inFlight: 1, maxRequests: 500 })
}
