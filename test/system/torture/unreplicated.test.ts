import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, logIn } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { server as suitePostgres } from '../../support/template.ts'
import { until } from '../../support/until.ts'
import { withoutCluster } from '../../support/trial/cluster.ts'
import { demoCluster } from './demo-cluster.ts'
import { looking } from '../kernel/psql.ts'

const skip = suitePostgres === undefined ? 'the embedded database is in the process' : withoutCluster()

t.test('a commit that no standby has is not acknowledged, until one has it', { skip }, async (t) => {
  const cluster = await demoCluster(t, '120m')
  const env = { DATABASE_URL: cluster.url }
  const app = await buildOn(t, await openDatabase(loadConfig(env), 'refuse', patientCheck()))
  const director = await logIn(app, 'director@demo.example')
  const corporate = await logIn(app, 'corporativo@demo.example')
  const company = (await director.get('me/')).json().company

  await looking({ dataDir: '', env }, async (psql) => {
    /** The number of commits that wait for a standby. */
    const waiting = async () => (await psql("select count(*) from pg_stat_activity where wait_event = 'SyncRep'"))[0]?.['count'] as number
    const cancel = async () => await psql("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
    /** The answer to a request whose commit is cancelled while it waits. */
    const cancelled = async (request: ReturnType<typeof director.get>) => {
      await until(async () => await waiting() > 0)
      await cancel()
      const { statusCode, headers, body } = await request
      return { status: statusCode, retryAfter: headers['retry-after'] !== undefined, code: JSON.parse(body).code }
    }
    const standbys = async (names: string) => {
      await psql(`alter system set synchronous_standby_names = '${names}'`)
      await psql('select pg_reload_conf()')
      if (names === '') return
      // PostgreSQL reads the setting some time later.
      await looking({ dataDir: '', env }, async (other) => {
        await until(async () => {
          let [isWaiting, hasEnded] = [false, false]
          const commit = other("select pg_logical_emit_message(true, 'test', '')").finally(() => { hasEnded = true })
          await until(async () => {
            isWaiting = await waiting() > 0
            return isWaiting || hasEnded
          })
          if (isWaiting) await cancel()
          await commit
          return isWaiting
        })
      })
    }
    const unknown = { status: 503, retryAfter: true, code: 'unavailable' }
    const key = { 'idempotency-key': 'R-1' }
    const create = async () => await director.post('contracts/', { folio: 'R-1' }, key)
    const mutate = async () => await director.post('mutations/', { device: '0e7a5d0c-6d3f-4c57-9d4c-0a4a4a9f9f9f', mutations: [{ id: 1, op: 'create', resource: 'contracts', body: { folio: 'R-2' } }] })

    await standbys('nobody')
    t.strictSame(await cancelled(create()), unknown, 'a write')
    t.strictSame(await cancelled(create()), unknown, 'its repetition')
    t.strictSame(await cancelled(mutate()), unknown, 'a mutation')
    t.strictSame(await cancelled(mutate()), unknown, 'its repetition')
    t.strictSame(await cancelled(director.send('PATCH', 'me/', { company })), unknown, 'the active company')
    t.strictSame(await cancelled(app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'director@demo.example', password: demoPassword } })), unknown, 'a log-in')
    t.strictSame(await psql("select folio from contracts where folio ~ '^R-' order by folio"), [{ folio: 'R-1' }, { folio: 'R-2' }], 'all are committed here')

    const found = async () => await corporate.post('companies/', { nombre: 'R-3' }, key)
    t.strictSame(await cancelled(found()), unknown, 'an account')
    for (const repeat of [create, found]) {
      await standbys('nobody')
      const again = repeat()
      await until(async () => await waiting() === 1)
      t.pass('a repetition waits for the commit that it reports')
      await standbys('')
      const { statusCode, headers, body } = await again
      t.match([statusCode, headers['idempotency-replayed'], JSON.parse(body)], [201, 'true', repeat === create ? { folio: 'R-1' } : { nombre: 'R-3' }])
    }
    t.match((await mutate()).json().results, [{ id: 1, status: 201, replayed: true }])
  })
})
