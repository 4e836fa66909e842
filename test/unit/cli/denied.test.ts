import { join } from 'node:path'
import t from 'tap'
import { createLogin, urlAs } from '../../support/login.ts'
import { demoPlace, emptyPlace } from '../../support/process.ts'
import { onServer, server } from '../../support/template.ts'
import { parse } from './parse.ts'

const skip = server === undefined && 'the embedded database has no logins'

async function admit (login: string, url = ''): Promise<void> {
  await onServer(async client => await client.query(`grant connect on database ${new URL(url).pathname.slice(1)} to ${login}`))
}

t.test('commands by a login that does not own the tables say which login does', { skip }, async (t) => {
  const { env } = await demoPlace(t)
  const url = env['DATABASE_URL']
  const owner = await onServer(async client => (await client.query('select current_user as owner')).rows[0].owner as string)
  const login = await createLogin(t)
  await admit(login, url)
  const own = { DATABASE_URL: urlAs(login, url) }
  const wayOut = new RegExp(`^permission denied [^\\n]*: the login ${login} of DATABASE_URL does not own the tables. Run the command with the DATABASE_URL of ${owner}$`)

  t.match((await parse(['backup', join(t.testdir(), 'obra.backup')], own)).error, { message: wayOut })
  t.match((await parse(['seed', '--companies', '1', '--contracts', '1', '--users', '1'], own)).error, { message: wayOut })
  const { out, error } = await parse(['doctor', '--json'], own)
  t.match(error, { message: /failed$/ })
  t.match(JSON.parse(out).findings.at(-1), { check: 'database', outcome: 'failed', message: new RegExp(`^the checks failed: ${wayOut.source.slice(1)}`) })
})

t.test('so do commands on an empty database', { skip }, async (t) => {
  const { env } = await emptyPlace(t)
  const login = await createLogin(t)
  await admit(login, env['DATABASE_URL'])
  const { error } = await parse(['migrate'], { DATABASE_URL: urlAs(login, env['DATABASE_URL']) })
  t.match(error, { message: new RegExp(`^permission denied [^\\n]*: the login ${login} of DATABASE_URL does not own the tables. Run`) })
})
