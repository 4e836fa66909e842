import { defineEntity, p } from '@mikro-orm/core'
import { raiseAuthorityOnTruncate, triggerDefs } from '../../database/schema/triggers.ts'
import { users } from '../accounts/users.ts'

/** A log-in. Its tokens contain its id as `sid`. It ends at `revoked_at`, or at `expires_at` at the latest. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  indexes: [{ name: 'sessions_ended_index', expression: 'create index sessions_ended_index on sessions (least(revoked_at, expires_at))' }],
  triggers: triggerDefs('sessions', {
    ...raiseAuthorityOnTruncate,
    raise_authority_update: {
      fires: 'after update',
      when: 'old.user_id <> new.user_id or old.expires_at <> new.expires_at or old.revoked_at is distinct from new.revoked_at',
      calls: 'raise_authority_of_user',
      deferrable: 'initially deferred'
    },
    // Not for ended sessions, which the purge deletes.
    raise_authority_delete: {
      fires: 'after delete',
      when: 'old.revoked_at is null and old.expires_at > clock_timestamp()',
      calls: 'raise_authority_of_user',
      deferrable: 'initially deferred'
    }
  }),
  properties: {
    id: p.uuid().primary(),
    user: p.manyToOne(users.entity).mapToPk().index(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    expires_at: p.datetime(6),
    revoked_at: p.datetime(6).strictNullable()
  }
})
