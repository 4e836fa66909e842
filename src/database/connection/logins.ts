import { setUpLogin } from './login.ts'
import type { Orm } from './orm.ts'
import { restoreOwners } from './owner-settings.ts'

/** What changed for the logins of a database. */
interface SettledLogins {
  /** The login of the servers. */
  login: string
  /** Whether it has got the role or settings. */
  changed: boolean
  /** Owners' logins that have their own settings again. */
  restored: string[]
  /** What remains to be done, and how. */
  remarks: string[]
}

/**
 * Sets up the login of the servers after the migrations, and restores what earlier releases changed.
 * @param orm connected as the owner of the migrated tables
 * @param login as in {@link setUpLogin}
 * @throws {Error} as {@link setUpLogin}
 */
export async function settleLogins (orm: Orm, login?: string): Promise<SettledLogins> {
  const servers = await setUpLogin(orm, login)
  const { restored, used, forbidden } = await restoreOwners(orm)
  return {
    ...servers,
    restored,
    remarks: [
      ...used.map(name => `psql and pg_dump of ${name} still act as obra_app, ` +
        'because servers of an earlier release use this login: run `obra migrate` again when they have ended'),
      ...forbidden.length === 0
        ? []
        : [`psql and pg_dump of other owners still act as obra_app; run as a superuser: ${forbidden.join('; ')}`]
    ]
  }
}
