import t from 'tap'
import { newFolder, obra } from '../support/process.ts'
import { server } from '../support/template.ts'
import { follow } from './follow.ts'
import { readPages, type Page } from './pages.ts'
import { apart, sequence } from './sequence.ts'
import { share } from './session.ts'

const production = { NODE_ENV: 'production', JWT_SECRET: 'Zr8hQ0yNf1bKx3LmVt6wPcE9sJdG2uAo5iTq' }

/** Checks whose findings depend on the machine, the cluster and the login of the tests. */
const ofMachine = new Set(['connections', 'disk', 'settings', 'user', 'login', 'access', 'clock'])

const pages = readPages()
const named = (name: string) => pages.find(page => page.name === name) as Page

t.test('each guide is followed with the others or apart', async (t) => {
  const guides = pages.filter(({ name, blocks }) => name.startsWith('docs/guides/') && blocks.length > 0).map(({ name }) => name)
  t.strictSame([...sequence, ...Object.keys(apart)].sort(), guides.sort())
})

t.test('the guides work one after the other on one database, which is healthy afterwards', { skip: server === undefined && 'it needs PostgreSQL: DATABASE_URL is not set' }, async (t) => {
  const shared = await share(t)
  const place = { ...newFolder(t), dataDir: shared.dataDir, env: { ...shared.env, ...production, DATA_DIR: shared.dataDir } }
  t.equal((await obra(t, place, ['migrate'])).code, 0, 'which closes the database to other logins')

  const [, extension = ''] = /--command='(create extension [^']+)'/.exec(named('docs/guides/find-a-slow-request.md').text) ?? []
  t.match(extension, 'pg_stat_statements')
  await shared.psql(extension)
  for (const name of sequence) await t.test(`${name} works as shown`, async t => await follow(t, named(name), shared))

  const { code, stdout, stderr } = await obra(t, place, ['doctor', '--json'])
  t.equal(code, 0, stderr)
  const findings = JSON.parse(stdout).findings as Array<{ check: string, outcome: string, message: string }>
  t.strictSame(findings.filter(({ outcome }) => outcome === 'failed'), [])
  const remarks = findings.filter(({ check, outcome }) => outcome !== 'ok' && !ofMachine.has(check))
  // The receivers of two guides have ended. Whether this is noticed yet depends on the time.
  t.strictSame(remarks.filter(({ check, message }) => check !== 'webhooks' || !/^webhook [12] of company 1 /.test(message)), [])
})
