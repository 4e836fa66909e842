import type { Row } from '../../src/database/connection/sql.ts'

/** Runs a statement. */
type Psql = (text: string, values?: unknown[]) => Promise<Row[]>

/** The states between a draft and an authorization. */
export const toAuthorized = ['enviada', 'autorizada'] as const

/**
 * Moves records with psql through several states, because a rule allows no jump.
 * @returns the rows after the last step
 */
export async function moved (psql: Psql, table: 'estimates' | 'convenios', states: readonly string[], where: string, values: unknown[] = []): Promise<Row[]> {
  let rows: Row[] = []
  for (const state of states) rows = await psql(`update ${table} set estado = '${state}' where ${where} returning *`, values)
  return rows
}
