import { codeOf, messageOf } from '../../files/errors.ts'

/** The SQLSTATE of an error, also of MikroORM's. It always has a digit, unlike codes of the operating system such as `EPIPE`. */
export function sqlState (error: unknown): string | undefined {
  const code = codeOf(error)
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** The name of the constraint that a statement has violated. */
export function constraintOf (error: unknown): string | undefined {
  const { constraint }: { constraint?: unknown } = Object(error)
  return typeof constraint === 'string' ? constraint : undefined
}

/** Whether an error is due to the values of a statement (wrong value, violated constraint), not to the state of the database. */
export function isDataError (error: unknown): boolean {
  return /^(21|22|23)/.test(sqlState(error) ?? '')
}

/** Whether the error is a lock timeout: another session held the lock for longer than `lock_timeout`. */
export function isLockTimeout (error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether the database has cancelled the statement, as after `statement_timeout`. */
export function isCancelled (error: unknown): boolean {
  return sqlState(error) === '57014'
}

/** Whether a repeated transaction can succeed: only after a serialization failure or a deadlock. */
export function isRetryable (error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** Whether PostgreSQL ends the session with this error. */
export function isFatal (error: unknown): boolean {
  const { severity }: { severity?: unknown } = Object(error)
  return severity === 'FATAL'
}

const driverErrors = /connection (terminated|timeout)|timeout exceeded when trying to connect|query read timeout|is not queryable$/i

/**
 * Whether the database is unreachable or cannot work now: connection failures, shutdown, start, too many connections, full disk, damaged
 * files, timeouts. An internal error (XX) counts if it ends the session: a full disk causes it in each new connection ("could not write
 * init file"). The driver's error for a refused connection contains one error per address.
 */
export function isUnavailable (error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|53|55000|55P03|57|58|25006|25P03|40)/.test(state) || (state.startsWith('XX') && isFatal(error))
  const { code, message, cause, errors }: { code?: unknown, message?: unknown, cause?: unknown, errors?: unknown } = error ?? {}
  if (typeof code === 'string' && /^E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN)/.test(code)) return true
  if (driverErrors.test(String(message))) return true
  return Array.isArray(errors) ? errors.some(isUnavailable) : cause !== undefined && isUnavailable(cause)
}

/** A setting that does not exist. Reading it fails, which ends a transaction that bypasses policies. */
export const wrongRole = 'obra.this_role_is_not_obra_app'

/** Whether a prepared statement is missing or belongs to another session, because a pooler has changed the session. */
export function isLostStatement (error: unknown): boolean {
  const state = sqlState(error)
  return state === '26000' || state === '42P05'
}

/** Whether the error is that of `admission`. */
export function isWrongRole (error: unknown): boolean {
  return sqlState(error) === '42704' && messageOf(error).includes(wrongRole)
}
