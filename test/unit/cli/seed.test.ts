import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, secret } from '../../support/helper.ts'
import { demoPlace } from '../../support/process.ts'
import { parse, variables } from './parse.ts'

const production = { NODE_ENV: 'production', DATABASE_URL: 'embedded', JWT_SECRET: secret }

t.test('seed prints its totals and writes one valid access token per line', async (t) => {
  const place = await demoPlace(t)
  const env = variables(place)
  const [file, none] = [join(place.dir, 'tokens'), join(place.dir, 'none')]
  const seeded = await parse(['seed', '--companies', '3', '--contracts', '32', '--works', '3', '--users', '4', '--tokens', file, '--yes', '--json'], { ...production, ...env })
  t.equal(seeded.error, undefined)
  t.strictSame(JSON.parse(seeded.out), { companies: 3, contracts: 32, users: 4, works: 3 })

  const more = await parse(['seed', '--companies', '1', '--contracts', '0', '--users', '0', '--tokens', none], env)
  t.match(more, { error: undefined, out: /^seeded 1 companies, 0 contracts, 0 of them with works, 0 users in [\d.]+ s\n$/ })
  t.equal(readFileSync(none, 'utf8'), '')

  t.equal(statSync(file).mode & 0o777, 0o600)
  const lines = readFileSync(file, 'utf8').split('\n')
  t.equal(lines.pop(), '', 'the last line ends with a line feed')
  t.equal(lines.length, 4)

  const app = await buildOn(t, await openDatabase(loadConfig(env), 'refuse'))
  const seen = await Promise.all(lines.map(async (token) => {
    const headers = { authorization: `Bearer ${token}` }
    const me = (await app.inject({ url: '/api/v1/me/', headers })).json()
    const list = (await app.inject({ url: '/api/v1/contracts/', headers })).json()
    return { level: me.nivel_acceso, company: me.company, count: list.count }
  }))
  t.strictSame(seen.map(({ level }) => level), [3, 3, 3, 3])
  const counts = new Map(seen.map(({ company, count }) => [company, count]))
  t.equal(counts.size, 3)
  t.equal([...counts.values()].reduce((sum, count) => sum + count, 0), 32)
})
