import { p } from '@mikro-orm/core'

/** What customers, companies, users and memberships have in common. */
export const accountProperties = {
  id: p.integer().primary(),
  created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  /** Set by the database at every update, as is `version`: psql leaves the same traces as the API. */
  updated_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  version: p.integer().default(1)
}
