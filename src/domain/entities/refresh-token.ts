import { defineEntity, p } from '@mikro-orm/core'
import { Session } from './session.ts'

/**
 * The refresh tokens of a session that can still be presented, by the SHA-256 of their `jti`: the live one (`spent_at` null), the one
 * before it while the live one is unused, and those spent within the grace period. Any other verified token of the session counts as
 * stolen.
 */
export const RefreshToken = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  indexes: [
    { name: 'refresh_tokens_created_at_index', properties: ['created_at'], where: 'spent_at is null' },
    { name: 'refresh_tokens_spent_at_index', properties: ['spent_at'], where: 'spent_at is not null' }
  ],
  properties: {
    session: p.manyToOne(Session).mapToPk().primary().deleteRule('cascade'),
    hash: p.blob().primary(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    spent_at: p.datetime(6).strictNullable(),
    /** The hash of the access token that was issued with it, until either of the two is used. Null for the tokens of a log-in. */
    unused_access: p.blob().strictNullable()
  }
})
