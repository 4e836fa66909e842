import { loginSettings } from '../../src/database/session-settings.ts'

/**
 * Startup options of a superuser's session on a test database. There the superuser is also the service's login, whose settings they override.
 */
export const superuserOptions = '-c role=none -c timezone=UTC -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** SQL that gives a copied database the settings of the service's login, which is the current user. PostgreSQL does not copy them. */
export function settingsOfCopy (database: string): string {
  return Object.entries(loginSettings).map(([setting, value]) => `alter role current_user in database ${database} set ${setting} = '${value}'`).join('; ')
}
