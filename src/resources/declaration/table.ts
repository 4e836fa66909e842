import { p, type EntitySchema, type PolicyDef } from '@mikro-orm/core'

/** An entity. Its properties follow from a declaration, so the compiler does not know them. */
export type Entity = EntitySchema

/** A column: the parts of MikroORM's property builders that declarations use. */
export interface Column {
  '~options': unknown
  strictNullable: () => Column
  default: (value: string | number | boolean | null) => Column
  check: (sql: string) => Column
  collation: (name: string) => Column
  generated: (sql: string) => Column
}

/** The MikroORM properties of a table by name. That of a reference to the same table is made after its entity. */
export type Columns = Record<string, Column | (() => Column)>

/**
 * The columns of every table of company records.
 * @param companies the entity of the tenants
 */
export function tenantProperties (companies: Entity) {
  return {
    /** `bigint`, because all companies share one sequence and one of them could use up an `int`. */
    id: p.bigint('number').primary(),
    company: p.manyToOne(companies).mapToPk(),
    external_id: p.string().length(128).strictNullable(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** Set by the database at every update, like `version`, also for changes with psql. */
    updated_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    version: p.integer().default(1)
  }
}

/**
 * SQL condition: the transaction admits the company. The setting is read once per statement (decision 1). False if no companies are set.
 * `is true` keeps it from being a condition of an index (decision 46). PostgreSQL prints the alias, so the schema comparison needs it.
 */
export const admitted = "(company_id = any ((select nullif(current_setting('app.companies', true), '')::int[] as nullif)::int[])) is true"

/** Row-level security, also for the owner: a transaction sees only rows of its companies. */
export const tenantWalls: { rowLevelSecurity: 'force', policies: PolicyDef[] } = {
  rowLevelSecurity: 'force',
  policies: [{ name: 'company_admitted', using: admitted, check: admitted }]
}

/** Row-level security of a searched table. The role `obra_search` can read all rows. */
export const searchWalls: typeof tenantWalls = {
  ...tenantWalls,
  policies: [...tenantWalls.policies, { name: 'search_candidates', command: 'select', roles: ['obra_search'], using: 'true' }]
}

/** Columns of customers, companies, users and memberships. */
export const accountProperties = {
  id: p.integer().primary(),
  created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  /** Set by the database at every update, like `version`, also for changes with psql. */
  updated_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  version: p.integer().default(1)
}
