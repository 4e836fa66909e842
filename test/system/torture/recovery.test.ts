import t from 'tap'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../../src/config.ts'
import { isUnavailable } from '../../../src/database/connection/sql-errors.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, logIn } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { server as suitePostgres } from '../../support/template.ts'
import { until } from '../../support/until.ts'
import { withoutCluster } from '../../support/trial/cluster.ts'
import { demoCluster } from './demo-cluster.ts'
import { looking } from '../kernel/psql.ts'

const skip = suitePostgres === undefined ? 'the embedded database is in the process' : withoutCluster()

t.test('while the database is in recovery, as during a failover, requests are answered 503, and nothing that may be stale', { skip }, async (t) => {
  const cluster = await demoCluster(t, '120m')
  const env = { DATABASE_URL: cluster.url }
  const app = await buildOn(t, await openDatabase(loadConfig(env), 'refuse', patientCheck()))
  const director = await logIn(app, 'director@demo.example')
  const { headers: { etag } } = await director.get('contracts/1/')

  const [{ folder }] = await looking({ dataDir: '', env }, async psql => await psql("select current_setting('data_directory') as folder")) as [{ folder: string }]
  await cluster.stop('fast')
  const signal = join(folder, 'standby.signal')
  writeFileSync(signal, '')
  chmodSync(signal, 0o666)
  await cluster.start()

  const key = { 'idempotency-key': 'R-1' }
  const device = '0e7a5d0c-6d3f-4c57-9d4c-0a4a4a9f9f9f'
  const requests: Record<string, () => ReturnType<typeof director.get>> = {
    list: async () => await director.get('contracts/?ordering=-folio'),
    create: async () => await director.post('contracts/', { folio: 'R-1' }),
    'create with a key': async () => await director.post('contracts/', { folio: 'R-1' }, key),
    bulk: async () => await director.post('contracts/bulk/', { items: [{ folio: 'R-1' }] }),
    mutation: async () => await director.post('mutations/', { device, mutations: [{ id: 1, op: 'create', resource: 'contracts', body: { folio: 'R-1' } }] }),
    update: async () => await director.send('PATCH', 'contracts/1/', { descripcion: 'R' }),
    'update under If-Match': async () => await director.send('PATCH', 'contracts/1/', { descripcion: 'R' }, { 'if-match': etag as string }),
    delete: async () => await director.send('DELETE', 'contracts/60/'),
    'active company': async () => await director.send('PATCH', 'me/', { company: 1 })
  }
  for (const [name, send] of Object.entries(requests)) {
    const { statusCode, headers, body } = await send()
    t.match({ statusCode, retryAfter: headers['retry-after'], code: JSON.parse(body).code }, { statusCode: 503, retryAfter: /^\d+$/, code: 'unavailable' }, name)
  }

  const refusal = await openDatabase(loadConfig(env), 'refuse', patientCheck()).catch((error: Error) => error) as Error
  t.match(refusal.message, /cannot be used: the database is a standby/)
  t.ok(isUnavailable(refusal.cause), 'a starting server waits')

  await cluster.promote()
  await until(async () => (await director.get('contracts/')).statusCode === 200)
  t.equal((await director.post('contracts/', { folio: 'R-1' }, key)).statusCode, 201)
})
