import type { Row } from '../../database/connection/sql.ts'

/** Runs a statement as the owner of the tables. */
export type Query = <R extends object = Row>(text: string) => Promise<R[]>

/** SQL of the ids of the service's role and of the owner of the search functions. */
export const serviceRole = "(select oid from pg_roles where rolname = 'obra_app')"
export const searchRole = "(select oid from pg_roles where rolname = 'obra_search')"

/** Statements that show the rows of all companies to the owner, whom the policies bind too, and end that. */
export const admitAll = "select set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), false)"
export const admitNone = "select set_config('app.companies', '', false)"
