import t, { type Test } from 'tap'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { loadConfig } from '../../../src/config.ts'
import type { Replica } from '../../../src/database/replicas/replica.ts'
import { serveMetrics } from '../../../src/server/metrics/server.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { requestRows } from '../../../src/database/turns/batch-requests.ts'
import { buildOn, logIn, type Client } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { server as suitePostgres } from '../../support/template.ts'
import { until } from '../../support/until.ts'
import { withoutCluster, type Cluster } from '../../support/trial/cluster.ts'
import { demoCluster, standbyOf } from '../torture/demo-cluster.ts'
import { parse } from '../../unit/cli/parse.ts'
import { looking, type Psql } from '../kernel/psql.ts'
import { watchReads } from './watched-reads.ts'

const skip = suitePostgres === undefined ? 'the embedded database has no replicas' : withoutCluster()

t.test('reads from replicas', { skip }, async (t) => {
  const primary = await demoCluster(t)
  const standby = await standbyOf(t, primary)

  const database = await openDatabase(loadConfig({ DATABASE_URL: primary.url, DATABASE_REPLICAS: standby.url }), 'refuse', patientCheck())
  // Without a page cache, each list is a read.
  const app = await buildOn(t, database, { PAGE_CACHE_MB: 0, METRICS_PORT: 0 })
  const [replica] = database.replicas.list as [Replica]
  const director = await logIn(app, 'director@demo.example')
  const { during, steadily, caughtUp, fromPrimary } = watchReads(replica, async () => await director.get('contracts/'))

  await t.test('pages, records, trees and the feed are answered by a replica that has the revision', async (t) => {
    await caughtUp()
    const { results: [{ id }] } = (await director.get('contracts/?page_size=1')).json()
    for (const url of ['contracts/', 'contracts/?search=a', `contracts/${id}/`, `contracts/${id}/tree/`, `contracts/${id}/ancestors/`, 'changes/', 'contracts/999999/']) {
      let response
      t.strictSame(await steadily(async () => await during(async () => { response = await director.get(url) })), { answered: 1, stale: 0, failed: 0 }, url)
      const { statusCode, body } = response as unknown as Awaited<ReturnType<Client['get']>>
      const direct = await fromPrimary(async () => await director.get(url))
      t.strictSame([statusCode, body], [direct.statusCode, direct.body], url)
    }
  })

  await t.test('writes and accounts are not', async (t) => {
    await caughtUp()
    const superuser = await logIn(app, 'superusuario@demo.example')
    const reads = await during(async () => {
      t.equal((await director.post('contracts/', { folio: 'R-1' })).statusCode, 201)
      t.equal((await director.get('me/')).statusCode, 200)
      t.equal((await superuser.get('users/')).statusCode, 200)
    })
    t.strictSame(reads, { answered: 0, stale: 0, failed: 0 })
  })

  await on(primary, async psqlOfPrimary => await on(standby, async (psql) => {
    const lagging = async (t: Test, work: () => Promise<void>) => {
      await psql('select pg_wal_replay_pause()')
      t.teardown(async () => { await psql('select pg_wal_replay_resume()') })
      await work()
      await psql('select pg_wal_replay_resume()')
    }

    await t.test('a replica that lacks a write is asked once, then not for 100 ms, while other companies use it', async (t) => {
      await caughtUp()
      const other = await logIn(app, 'director@otra.example')
      await lagging(t, async () => {
        t.equal((await director.post('contracts/', { folio: 'R-2' })).statusCode, 201)
        const { pauses, ...own } = await steadily(async () => {
          const began = performance.now()
          const reads = await during(async () => {
            for (let n = 0; n < 5; n++) t.equal((await director.get('contracts/?folio=R-2')).json().count, 1)
          })
          return { ...reads, pauses: Math.floor((performance.now() - began) / 100) }
        })
        t.strictSame({ ...own, stale: Math.max(1, own.stale - pauses) }, { answered: 0, stale: 1, failed: 0 })
        t.strictSame(await steadily(async () => await during(async () => t.equal((await other.get('contracts/?folio=R-2')).json().count, 0))), { answered: 1, stale: 0, failed: 0 })
        await until(() => replica.lag > 0.3)
      })
      await until(() => replica.lag === 0)
      await caughtUp()
    })

    await t.test('a record that the replica does not have yet is found, and a deleted one is not', async (t) => {
      await caughtUp()
      const { id: old } = (await director.post('contracts/', { folio: 'R-3' })).json()
      await caughtUp()
      await lagging(t, async () => {
        const { id } = (await director.post('contracts/', { folio: 'R-4' })).json()
        t.match((await director.get(`contracts/${id}/`)).json(), { id, folio: 'R-4' })
        t.equal((await director.send('DELETE', `contracts/${old}/`)).statusCode, 204)
        await sleep(110)
        t.equal((await director.get(`contracts/${old}/`)).statusCode, 404)
      })
    })

    await t.test('attempts of webhooks, which raise no revision, are read from the primary', async (t) => {
      const { id, company } = (await director.post('webhooks/', { url: 'https://erp.obra.example/obra' })).json()
      await caughtUp()
      await lagging(t, async () => {
        await psqlOfPrimary("insert into webhook_deliveries (company_id, webhook, message, events, intento, duracion_ms, respuesta) values ($1, $2, 'msg_1', 'ping', 1, 5, '')", [company, id])
        t.equal((await director.get(`webhooks/${id}/deliveries/`)).json().count, 1)
      })
    })

    await t.test('a statement that the replica cancels because of recovery does not make it unavailable', async (t) => {
      await caughtUp()
      await psql("alter system set max_standby_streaming_delay = '0'")
      await psql('select pg_reload_conf()')
      const [at] = await psql('select company_id as company, revision, stamp from company_revisions where contracts > 0 limit 1') as [{ company: number, revision: number, stamp: number }]
      const query = { columns: [], text: `select q.i, pg_sleep(10)::text from ${requestRows([])} where exists (select from contracts)` }
      const cancelled = await steadily(async () => await during(async () => {
        let hasEnded = false
        const reading = replica.read({ query, company: at.company, values: [], at }).finally(() => { hasEnded = true })
        await until(async () => hasEnded || (await psql("select from pg_stat_activity where wait_event = 'PgSleep'")).length > 0)
        await psqlOfPrimary('do $$ begin lock table contracts in access exclusive mode; end $$')
        t.equal(await reading, undefined)
      }))
      t.strictSame(cancelled, { answered: 0, stale: 0, failed: 1 })
      t.ok(replica.health.isAvailable)
    })

    await t.test('a row of another company is an error of the request', async (t) => {
      await caughtUp()
      const [at, other] = await psql('select company_id as company, revision, stamp from company_revisions where contracts > 0 order by company_id limit 2') as Array<{ company: number, revision: number, stamp: number }>
      const query = { name: 'test stray', columns: [], text: `select q.i, ${other?.company} as company from ${requestRows([])}` }
      const error = await steadily(async () => await replica.read({ query, company: at?.company, values: [], at }).catch((error: Error) => error))
      t.match(error, { message: /^a row of company/ })
      t.ok(replica.health.isAvailable)
    })

    await t.test('reads of a silent replica end when it is left out, also those that wait, and it returns by itself', async (t) => {
      await caughtUp()
      standby.pause()
      // Searches are slow reads: few of them run at the same time.
      const answers = await Promise.all(Array.from({ length: 40 }, async (_, n) => (await director.get(n % 2 === 0 ? `contracts/?page_size=${n + 1}` : `contracts/?search=R-${n}`)).statusCode))
      t.strictSame([...new Set(answers)], [200])
      t.notOk(replica.health.isAvailable)
      t.match(await during(async () => await director.get('contracts/')), { answered: 0, stale: 0 })
      standby.resume()
      await caughtUp()
    })

    await t.test('`obra doctor` and the metrics report state, lag and share', async (t) => {
      await caughtUp()
      const { port, close } = await serveMetrics(loadConfig({ METRICS_PORT: '0' }), app.log, async () => app.metrics as Registry)
      t.teardown(close)
      const doctor = async (urls: string) => {
        const { out } = await parse(['doctor', '--json'], { DATABASE_URL: primary.url, DATABASE_REPLICAS: urls, METRICS_PORT: String(port) })
        return JSON.parse(out).findings.filter(({ check }: { check: string }) => check === 'replica').map(({ outcome, message }: Finding) => [outcome, message])
      }
      const { host } = new URL(standby.url)
      t.match(await doctor(standby.url), [['ok', new RegExp(`^${host} is \\d+ ms behind or less; it answers \\d+ % of the reads$`)]])
      t.match(await doctor(`${primary.url},postgres://postgres@127.0.0.1:1/postgres`), [['ok', /is the primary now/], ['failed', /^127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/]])
      await lagging(t, async () => {
        t.equal((await director.post('contracts/', { folio: 'R-6' })).statusCode, 201)
        t.match(await doctor(standby.url), [['warning', new RegExp(`^${host} is \\d+ bytes behind after 2 s: .*; it answers \\d+ % of the reads$`)]])
        const metrics = await steadily(async () => await app.metrics?.metrics() ?? '')
        for (const line of [`obra_reads_total{server="${host}"} ${replica.reads.answered}`, `obra_replica_misses_total{replica="${host}",reason="stale"} ${replica.reads.stale}`, `obra_replica_available{replica="${host}"} 1`]) t.ok(metrics.includes(line), line)
        t.match(metrics, /obra_reads_total\{server="primary"\} [1-9]/)
        t.match(metrics, new RegExp(`obra_replica_lag_seconds\\{replica="${host}"\\} [1-9]`))
      })
    })

    await t.test('a replica that lacks the last migration is not used', async (t) => {
      await caughtUp()
      await psqlOfPrimary("update mikro_orm_migrations set name = name || '!' where id = (select max(id) from mikro_orm_migrations)")
      await until(() => !replica.health.isAvailable)
      await psqlOfPrimary("update mikro_orm_migrations set name = rtrim(name, '!')")
      await caughtUp()
    })
  }))

  await t.test('a replica stops under load and comes back: no read fails, and a server starts without it', async (t) => {
    await caughtUp()
    const stopped = new AbortController()
    const reading = Promise.all([0, 1, 2, 3].map(async () => { while (!stopped.signal.aborted) t.equal((await director.get('contracts/?page_size=3')).statusCode, 200) }))
    await standby.stop('immediate')
    await until(() => !replica.health.isAvailable)
    const without = await openDatabase(loadConfig({ DATABASE_URL: primary.url, DATABASE_REPLICAS: standby.url }), 'refuse', patientCheck())
    await without.close()
    await standby.start()
    await until(() => replica.health.isAvailable)
    stopped.abort()
    await reading
    await caughtUp()
  })

  await t.test('a promoted replica, which has a timeline of its own, is not used', async (t) => {
    await caughtUp()
    await standby.promote()
    await until(() => !replica.health.isAvailable)
    await on(standby, async (psql) => { await psql("insert into contracts (company_id, folio) select company_id, 'LOST' from contracts where folio = 'R-1'") })
    t.strictSame(await during(async () => t.equal((await director.get('contracts/?folio=LOST')).json().count, 0)), { answered: 0, stale: 0, failed: 0 })
  })
})

async function on (cluster: Cluster, work: (psql: Psql) => Promise<void>): Promise<void> {
  await looking({ dataDir: '', env: { DATABASE_URL: cluster.url } }, work)
}
