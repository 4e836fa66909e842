import { p, type EntitySchema, type PolicyDef } from '@mikro-orm/core'

/**
 * The columns of every table that belongs to companies.
 * @param companies the entity of the tenants
 */
export function tenantProperties (companies: EntitySchema<any>) {
  return {
    /** `bigint`, because all companies share one sequence and one of them could use up an `int`. */
    id: p.bigint('number').primary(),
    company: p.manyToOne(companies).mapToPk(),
    external_id: p.string().length(128).strictNullable(),
    created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    /** Set by the database at every update, as is `version`, also for changes made in psql. */
    updated_at: p.datetime(6).defaultRaw('clock_timestamp()'),
    version: p.integer().default(1)
  }
}

/**
 * The companies that the present transaction may see, looked up once a statement (decision 13); none when nothing has set them. PostgreSQL
 * prints the alias, so the schema comparison needs it.
 */
export const admitted = "company_id = any ((select nullif(current_setting('app.companies', true), '')::int[] as nullif)::int[])"

/** Row level security, forced for the owner too: only rows of the transaction's companies exist. */
export const tenantWalls: { rowLevelSecurity: 'force', policies: PolicyDef[] } = {
  rowLevelSecurity: 'force',
  policies: [{ name: 'company_admitted', using: admitted, check: admitted }]
}

/** The walls of a table that `search` covers: the owner of the search index reads all rows. */
export const searchWalls: typeof tenantWalls = {
  ...tenantWalls,
  policies: [...tenantWalls.policies, { name: 'search_candidates', command: 'select', roles: ['obra_search'], using: 'true' }]
}

/** The index that `keep_search_of` makes. @param reference the field that refers to records whose texts are searched too */
export function searchIndex (table: string, reference?: string): { name: string, expression: string } {
  const name = `${table}_search_index`
  const column = reference === undefined ? 'null::bigint' : `${reference}_id`
  return { name, expression: `create index "${name}" on "${table}" using gin (search_lexemes(company_id, busqueda, ${column})) with (gin_pending_list_limit = 1024)` }
}

/** What customers, companies, users and memberships have in common. */
export const accountProperties = {
  id: p.integer().primary(),
  created_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  /** Set by the database at every update, as is `version`: psql leaves the same traces as the API. */
  updated_at: p.datetime(6).defaultRaw('clock_timestamp()'),
  version: p.integer().default(1)
}
