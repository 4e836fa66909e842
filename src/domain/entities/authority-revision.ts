import { defineEntity, p } from '@mikro-orm/core'

/**
 * Numbers that triggers raise with every committed change of a session's state: its revocation, its user's level and companies. Log-ins and
 * refreshes do not raise them. Users share 256 buckets. A bucket without a row has the number 0.
 */
export const AuthorityRevision = defineEntity({
  name: 'AuthorityRevision',
  tableName: 'authority_revisions',
  properties: {
    bucket: p.integer().primary().autoincrement(false),
    revision: p.bigint('number')
  }
})
