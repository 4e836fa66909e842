import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { loginSettings } from '../../src/database/connection/session-settings.ts'
import { onServer } from './template.ts'

/** Creates a role that can log in; dropped with its privileges when the test ends. @returns its name */
export async function createLogin (t: Test, attributes = ''): Promise<string> {
  const login = `obra_test_login_${randomBytes(4).toString('hex')}`
  await onServer(async client => await client.query(`create role ${login} login password 'x' ${attributes}`))
  t.teardown(async () => await onServer(async client => await client.query(`drop owned by ${login}; drop role ${login}`)))
  return login
}

/** A URL with another user. */
export function urlAs (login: string, url: string | undefined): string {
  return Object.assign(new URL(url as string), { username: login, password: 'x' }).href
}

/** Gives a login the role and the settings of the service in a database, as `obra migrate --login` does. */
export async function setUp (login: string, database: string): Promise<void> {
  const settings = Object.entries(loginSettings).map(([setting, value]) => `alter role ${login} in database ${database} set ${setting} = '${value}'`)
  await onServer(async client => await client.query([`grant obra_app to ${login}`, `grant connect on database ${database} to ${login}`, ...settings].join('; ')))
}
