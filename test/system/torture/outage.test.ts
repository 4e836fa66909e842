import t from 'tap'
import { openOrm } from '../../../src/server/open-database.ts'
import { loadConfig } from '../../../src/config.ts'
import { migrate, openDatabase } from '../../../src/server/open-database.ts'
import { loadDemo } from '../../../src/domain/demo/load.ts'
import { buildOn } from '../../support/helper.ts'
import { server as suitePostgres } from '../../support/template.ts'
import { makeCluster, withoutCluster } from './cluster.ts'
import { outage, outages } from './outage.ts'
import { logIn, looking } from './places.ts'

/** It takes root's rights and PostgreSQL's own programs, which containers may lack. */
const skip = suitePostgres === undefined ? 'the embedded database is in the process' : withoutCluster()

t.test('a database that is gone costs answers 503 and a wait, and nothing that was acknowledged', { skip }, async (t) => {
  const cluster = await makeCluster('120m')
  t.teardown(async () => await cluster[Symbol.asyncDispose]())
  const env = { DATABASE_URL: cluster.url }
  const orm = await openOrm(env['DATABASE_URL'] as string, 'owner')
  await migrate(orm)
  await loadDemo(orm)
  await orm.close(true)
  const app = await buildOn(t, await openDatabase(loadConfig(env), 'refuse'), { RATE_LIMIT: 'off' })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const tokens = await logIn(origin)

  let turnedAway = 0
  for (const name of Object.keys(outages)) {
    await t.test(name, async (t) => {
      const { tally, lost, slowestReturn } = await outage(name, cluster, { origin, tokens, seed: 1 }, 1, 0.2, async work => await looking({ dataDir: '', env }, work))
      t.strictSame(lost, [], 'a 503 without Retry-After, and other answers that should not be, are among what was lost')
      t.equal(tally.unanswered, 0, 'every request was answered')
      turnedAway += tally.unavailable
      t.ok(slowestReturn < 10_000, `writing goes on when the database is back: ${slowestReturn} ms`)
    })
  }
  // Any one of them may pass between two requests.
  t.ok(turnedAway > 0, 'some were turned away')
})
