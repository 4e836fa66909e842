import { LRUCache } from 'lru-cache'
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

/** Limit of access tokens in memory. */
const mostKept = 10_000

/** Records that an access token was used, before its request is answered. */
export interface Uses {
  record: (use: Use) => Promise<void>
  /** An access token of a log-in replaces no other, so its use needs no record. */
  ignore: (jti: string) => void
}

/**
 * Records the first use of each access token. From then on, the refresh token before it is no longer repeated (decision 41). Later uses in the
 * same process cost nothing. One statement records all uses that arrive together.
 */
export function recordUses (sql: Sql): Uses {
  const known = new LRUCache<string, true>({ maxSize: mostKept, sizeCalculation: () => 1 })

  const write = batch(async (uses: Use[]) => {
    // All processes lock the tokens in this order.
    const sorted = uses.toSorted((a, b) => a.sid < b.sid ? -1 : 1)
    await retrying(async () => await sql.query({
      name: 'use tokens',
      text: `
        with used as materialized (
          select r.session_id, r.hash
          from unnest($1::uuid[], $2::text[]) q (sid, access)
          cross join lateral (
            select session_id, hash from refresh_tokens where session_id = q.sid and unused_access = decode(q.access, 'hex') offset 0 for update) r)
        update refresh_tokens r set unused_access = null from used where r.session_id = used.session_id and r.hash = used.hash`,
      values: [sorted.map(({ sid }) => sid), sorted.map(({ jti }) => tokenHash(jti).toString('hex'))]
    }), performance.now() + maxWaitMs)
    return uses.map(() => undefined)
  }, { name: 'uses', inFlight: 1, maxRequests: 500 })

  return {
    async record (use) {
      if (known.has(use.jti)) return
      await write(use)
      known.set(use.jti, true)
    },
    ignore (jti) {
      known.set(jti, true)
    }
  }
}
