import t from 'tap'
import { demoPassword, demoUsers } from '../../../src/domain/demo/data.ts'
import type { Databases } from '../../../src/cli/with-database.ts'
import type { Database } from '../../../src/database/database.ts'
import { migrations } from '../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../support/empty-database.ts'
import { parse } from './parse.ts'

t.test('an empty database is migrated and gets the demo data, each once', async (t) => {
  const { orm, open } = await openEmptyDatabase(t)
  let opened: Database | undefined
  t.teardown(async () => await opened?.close())
  const databases: Databases = {
    asOwner: async work => await work({ orm }),
    withDatabase: async work => await work(opened ??= await open('refuse'))
  }
  const run = async (args: string[], env = {}) => await parse(args, env, { databases })
  const pending = { message: new RegExp(`^${migrations.length} migrations have not run \\(.+\\): run \`obra migrate\` first$`) }

  t.match(await run(['demo']), { out: '', error: pending })
  const production = { NODE_ENV: 'production' } // no JWT_SECRET: commands sign nothing
  t.match(await run(['seed', '--yes'], production), { out: '', error: pending }, 'seeding does not migrate production')

  t.match(await run(['migrate'], production), { error: undefined, out: /^migrated: [^\n]+\n$/ })
  t.match(await run(['migrate']), { error: undefined, out: 'nothing to migrate\n' })
  t.match(await run(['--json', 'migrate']), { error: undefined, out: '{"migrated":[]}\n' })

  t.match(await run(['demo'], production), { out: '', error: { message: 'NODE_ENV is production: pass --yes to load accounts with a public password' } })
  const demo = await run(['demo', '--json'])
  t.strictSame(JSON.parse(demo.out), { users: demoUsers.map(({ email }) => email), password: demoPassword })
  t.match(await run(['demo']), { out: '', error: { message: /^the database already has customers: / } })
})
