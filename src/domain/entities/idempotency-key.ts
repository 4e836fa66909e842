import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { admitted } from '../../resources/declaration/table.ts'
import { users } from '../accounts/users.ts'

/** The answer to a POST with an Idempotency-Key. Stored for 24 hours, in the transaction of the write. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  rowLevelSecurity: 'force',
  policies: [{ name: 'company_admitted', using: `company_id is null or ${admitted}`, check: `company_id is null or ${admitted}` }],
  uniques: [{
    name: 'idempotency_keys_unique',
    expression: 'alter table idempotency_keys add constraint idempotency_keys_unique ' +
      'unique nulls not distinct (user_id, key, route, company_id, reach)'
  }],
  indexes: [{ name: 'idempotency_keys_created_at_index', properties: ['company', 'created_at'] }],
  properties: {
    /** A `bigint`, because each request with a key uses one. */
    id: p.bigint().primary(),
    user: p.manyToOne(users.entity).mapToPk().deleteRule('cascade').foreignKeyName('idempotency_keys_user_id_fkey'),
    /** Null for requests about accounts. */
    company: p.manyToOne(companies.entity)
      .mapToPk().strictNullable().deleteRule('cascade').foreignKeyName('idempotency_keys_company_id_fkey'),
    /** The caller's level and customer. A caller with others does not get the stored answer. */
    reach: p.string().length(16).default(''),
    route: p.string().length(200),
    key: p.string().length(255),
    /** SHA-256 of the request. */
    digest: p.blob(),
    status: p.smallint(),
    headers: p.json(),
    body: p.text(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()')
  }
})
