import type { Revision } from '../../http/representation.ts'
import type { Reader } from '../declaration/scope.ts'

/** The tenant of a request: its company, the revision at authorization, and reads of its data. */
export interface FeedTenant extends Revision {
  company: number
  /** Reads rows. A replica may answer if it has the revision `at`, by default that of the request. */
  read: (...query: [...Parameters<Reader>, at?: Revision]) => ReturnType<Reader>
}
