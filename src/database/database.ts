import type { Pool } from 'pg'
import type { ConnectionCheck } from './connection/connection-check.ts'
import type { Orm } from './connection/orm.ts'
import type { Replicas } from './replicas/replicas.ts'
import type { Shares } from './turns/shares.ts'
import type { Sql } from './connection/sql.ts'

/** The database, used as the service's role: MikroORM for units of work, `sql` for frequent statements. */
export interface Database {
  kind: 'postgres' | 'embedded'
  orm: Orm
  /** Without a limit on connections: for turns and accounts, which have their own, and for health checks, metrics, purging and commands. */
  sql: Sql
  /** For single statements outside turns, limited by {@link Shares.lone}. */
  lone: Sql
  shares: Shares
  /** The replicas of DATABASE_REPLICAS, for reads at a revision. */
  replicas: Replicas
  /** The connection pool. The embedded database has one connection. */
  pool: Pick<Pool, 'connect' | 'totalCount' | 'idleCount' | 'waitingCount'>
  /** Checks each new connection. */
  check: ConnectionCheck
  close: () => Promise<void>
}
