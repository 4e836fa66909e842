import type { Row, Statement } from '../../database/connection/sql.ts'
import type { UnitOfWork } from '../../database/turns/unit-of-work.ts'
import type { Reader } from '../declaration/scope.ts'
import type { May } from '../writing/update.ts'

/** The tenant of a request: its company, the caller, and transactions there. */
export interface MutationTenant {
  company: number
  user: number
  /** What the caller may do, as authenticated. */
  may: May
  /** Reads rows. Without a revision, only the primary answers. */
  read: (...query: [...Parameters<Reader>, at: null]) => ReturnType<Reader>
  /** Runs one statement on a connection for slow reads. */
  readAlone: (statement: Statement) => Promise<Row[]>
  /** Runs a unit of work, with what the caller may do then. */
  unit: <T>(work: (unit: UnitOfWork, present: { may: May }) => Promise<T>) => Promise<T>
}
