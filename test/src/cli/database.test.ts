import t from 'tap'
import { demoPassword, demoUsers } from '../../../src/demo/data.ts'
import { emptyPlace } from '../../process.ts'
import { parse, variables } from './parse.ts'

t.test('an empty database is migrated, then gets the demo data, each once', async (t) => {
  const place = variables(await emptyPlace(t))
  const pending = { message: /^5 migrations have not run \(.+\): run `obra migrate` first$/ }

  t.match(await parse(['demo'], place), { out: '', error: pending })
  const production = { ...place, NODE_ENV: 'production' } // no JWT_SECRET: commands sign nothing
  t.match(await parse(['seed', '--yes'], production), { out: '', error: pending }, 'seeding does not migrate production')

  t.match(await parse(['migrate'], production), { error: undefined, out: /^migrated: [^\n]+\n$/ })
  t.match(await parse(['migrate'], place), { error: undefined, out: 'nothing to migrate\n' })
  t.match(await parse(['--json', 'migrate'], place), { error: undefined, out: '{"migrated":[]}\n' })

  t.match(await parse(['demo'], production), { out: '', error: { message: 'this is production: say --yes to load accounts whose password is published' } })
  const demo = await parse(['demo', '--json'], place)
  t.strictSame(JSON.parse(demo.out), { users: demoUsers.map(({ email }) => email), password: demoPassword })
  t.match(await parse(['demo'], place), { out: '', error: { message: /^there are customers already: / } })
})
