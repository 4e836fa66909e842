import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { admitted } from './tenant.ts'
import { users } from '../accounts/users.ts'

/** An answer that was given to a POST with an Idempotency-Key: kept for a day, in the transaction that wrote what it tells of. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  rowLevelSecurity: 'force',
  policies: [{ name: 'company_admitted', using: `company_id is null or ${admitted}`, check: `company_id is null or ${admitted}` }],
  properties: {
    /** Every keyed request takes one: an `int` would be used up. */
    id: p.bigint().primary(),
    user: p.manyToOne(users.entity).mapToPk().deleteRule('cascade'),
    /** Null where the request was about accounts. */
    company: p.manyToOne(companies.entity).mapToPk().strictNullable().deleteRule('cascade'),
    /** The caller's level and customer. A caller with other ones does not get the stored answer. */
    reach: p.string().length(16).default(''),
    route: p.string().length(200),
    key: p.string().length(255),
    /** SHA-256 of what was asked. */
    digest: p.blob(),
    status: p.smallint(),
    headers: p.json(),
    body: p.text(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()')
  }
})
