import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { server as suitePostgres } from '../../support/template.ts'
import { withoutCluster } from '../../support/trial/cluster.ts'
import { demoCluster } from './demo-cluster.ts'
import { outage, outages } from './outage.ts'
import { logIn } from '../kernel/process.ts'

/** The outages need root and PostgreSQL's server programs, which containers may lack. */
const skip = suitePostgres === undefined ? 'the embedded database is in the process' : withoutCluster()

t.test('a database outage causes 503s and delays, and loses no acknowledged write', { skip }, async (t) => {
  const cluster = await demoCluster(t, '120m')
  const env = { DATABASE_URL: cluster.url }
  const app = await buildOn(t, await openDatabase(loadConfig(env), 'refuse', patientCheck()), { RATE_LIMIT: 'off' })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const tokens = await logIn(origin)

  let unavailable = 0
  for (const name of Object.keys(outages)) {
    await t.test(name, async (t) => {
      const { report, bad, slowestReturn } = await outage(name, cluster, { origin, tokens, seed: 1 }, 1, 0.2)
      t.strictSame(bad, [], 'nothing is lost; unexpected answers, as a 503 without Retry-After, and requests without an answer would be listed here')
      unavailable += report.unavailable
      t.ok(slowestReturn < 10_000, `writes resume when the database is back: ${slowestReturn} ms`)
    })
  }
  // A single outage may fall between two requests.
  t.ok(unavailable > 0, 'some requests were answered 503')
})
