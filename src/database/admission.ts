import { sqlState } from './sql-errors.ts'

/** A setting that does not exist. Reading it fails, which ends a transaction that bypasses policies. */
const wrongRole = 'obra.this_role_is_not_obra_app'

/**
 * SQL that sets the companies $1, which the policies admit until the end of the transaction. It fails unless the role is `obra_app`, because a
 * pooler can run each transaction in another session. It costs no further statement.
 */
export const admission = `case current_user when 'obra_app' then set_config('app.companies', $1, true) else current_setting('${wrongRole}') end`

/** Sets the companies that the policies admit until the end of the transaction. @throws {@link isWrongRole} */
export function admit (companies: number[]) {
  return { name: 'admit', text: `select ${admission}`, values: [`{${companies.join(',')}}`] }
}

/** Whether a prepared statement is missing or belongs to another session, because a pooler has changed the session. */
export function isLostStatement (error: unknown): boolean {
  const state = sqlState(error)
  return state === '26000' || state === '42P05'
}

/** Whether the error is that of {@link admission}. */
export function isWrongRole (error: unknown): boolean {
  return sqlState(error) === '42704' && (error as Error).message.includes(wrongRole)
}
