import pg from 'pg'
import { differences } from '../../database/connection/connection-check.ts'
import { sessionIsOwner } from '../../database/connection/owner.ts'
import { loginSettings } from '../../database/connection/session-settings.ts'
import { poolOptions, preparePool } from '../../database/connection/orm.ts'
import { findingsOf, type Finding } from './finding.ts'

/**
 * Checks that a new connection gets the role and the settings of the service from its login, unless this is an owner's.
 * @param url DATABASE_URL
 */
export async function examineLogin (url: string): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('login')
  const pool = preparePool(new pg.Pool({ ...poolOptions(url, async () => {}), max: 1 }), true)
  try {
    const { rows: [{ login, owner }] } = await pool.query(sessionIsOwner)
    const found = await differences(async (text, values) => (await pool.query(text, values)).rows, loginSettings)
    const isChanged = !found.some(difference => difference.startsWith('role '))
    if (owner === true) {
      return isChanged
        ? warning(`psql and pg_dump of the owner ${login} act as obra_app: run \`obra migrate\` as ${login}`)
        : ok(`connections as the owner ${login} take the role and the settings themselves`)
    }
    if (found.length === 0) return ok('connections get the role and the settings of the service')
    const remedy = `run \`obra migrate --login ${login}\` as the owner, then restart a pooler`
    return failed(`connections as ${login} lack the role or settings of the service (${found.join(', ')}): ${remedy}`)
  } finally {
    await pool.end()
  }
}
