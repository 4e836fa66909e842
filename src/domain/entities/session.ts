import { defineEntity, p } from '@mikro-orm/core'
import { users } from '../accounts/users.ts'

/** A log-in. Its tokens contain its id as `sid`. It ends at `revoked_at`, or at `expires_at` at the latest. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [{ name: 'sessions_ended_index', expression: 'create index sessions_ended_index on sessions (least(revoked_at, expires_at))' }],
  properties: {
    id: p.uuid().primary(),
    user: p.manyToOne(users.entity).mapToPk().index(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    expires_at: p.datetime(6),
    revoked_at: p.datetime(6).strictNullable()
  }
})
