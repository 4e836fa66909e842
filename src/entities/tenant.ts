import { p, type PolicyDef } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'

/**
 * What every table owned by a company has in common. A tenant entity spreads `tenantProperties` into its
 * properties and takes `tenantWalls` whole; the migration that makes its table calls `keep_revisions_of`
 * and adds the composite foreign keys.
 */
export const tenantProperties = {
  /** `bigint`, because all companies share one sequence and one of them could use up an `int`. */
  id: p.bigint('number').primary(),
  company: p.manyToOne(companies.entity).mapToPk(),
  external_id: p.string().length(128).strictNullable(),
  created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  /** Set by the database at every update, as is `version`: psql leaves the same traces as the API. */
  updated_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  version: p.integer().default(1)
}

/** The companies that the present transaction may see, looked up once a statement (decision 13); none when nothing has set them. */
export const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])"

/** Row level security, forced for the owner too: only rows of the transaction's companies exist. */
export const tenantWalls: { rowLevelSecurity: 'force', policies: PolicyDef[] } = {
  rowLevelSecurity: 'force',
  policies: [{ name: 'company_admitted', using: admitted, check: admitted }]
}
