import type { Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MetricObject } from 'prom-client'
import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { retrying } from '../../../src/database/connection/postgres-sql.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { serveMetrics } from '../../../src/server/metrics/server.ts'
import { WorkersMetrics } from '../../../src/server/metrics/workers.ts'
import { build, buildOn, openTestDatabase } from '../../support/helper.ts'
import { root } from '../../support/process.ts'
import { until } from '../../support/until.ts'

/** The series of a scrape, `name{labels}` to value. */
function seriesOf (text: string): Map<string, number> {
  return new Map(text.split('\n').filter(line => line !== '' && !line.startsWith('#')).map(line => {
    const end = line.lastIndexOf(' ')
    return [line.slice(0, end), Number(line.slice(end + 1))]
  }))
}

t.test('without METRICS_PORT nothing is measured', async (t) => {
  const { app } = await build(t)
  t.notOk(app.hasDecorator('metrics'))
})

t.test('the used share of sequences is queried once a minute, and kept while the database is unavailable', async (t) => {
  const { database, psql } = await openTestDatabase(t)
  await psql("select setval('memberships_id_seq', 1610612735)")
  let queries = 0
  let away = false
  const query: typeof database.sql.query = async (statement) => {
    if (statement.name === 'sequences') queries++
    if (away) throw new Error('away')
    return await database.sql.query(statement)
  }
  const app = await buildOn(t, { ...database, sql: { ...database.sql, query } }, { METRICS_PORT: 0, DATA_DIR: t.testdir() })
  const share = async (sequence: string) => seriesOf(await app.metrics?.metrics() ?? '').get(`obra_sequence_used_ratio{sequence="${sequence}"}`)
  const at = async (minutes: number) => {
    const { now } = performance
    const clock = t.capture(performance, 'now', () => now.call(performance) + minutes * 60_000)
    await app.metrics?.metrics()
    clock.restore()
  }

  await psql("insert into last_backup (ended_at, rows, bytes) values ('2026-03-01T00:00:00Z', 1, 1)")
  // A query that takes longer than a second gives nothing, and the next one comes a minute later.
  let minutes = 0
  const becomes = async (wanted: string) => await until(async () => {
    await at(minutes += 2)
    return (await share('memberships_id_seq'))?.toFixed(4) === wanted
  })
  await becomes('0.7500')
  const first = queries
  t.ok(await share('contracts_id_seq') as number < 1e-12, 'the share of a bigint sequence')
  const others = seriesOf(await app.metrics?.metrics() ?? '')
  t.equal(others.get('obra_last_backup_timestamp_seconds'), Date.UTC(2026, 2, 1) / 1000)
  t.ok((others.get('obra_disk_bytes{state="free"}') ?? 0) <= (others.get('obra_disk_bytes{state="total"}') ?? -1))
  await psql("select setval('memberships_id_seq', 1)")
  t.equal((await share('memberships_id_seq'))?.toFixed(4), '0.7500')
  t.equal(queries, first)
  await becomes('0.0000')
  const second = queries
  away = true
  await at(minutes + 2)
  t.equal((await share('memberships_id_seq'))?.toFixed(4), '0.0000')
  t.equal(queries, second + 1)
})

t.test('metrics', async (t) => {
  const { app, as } = await build(t, { METRICS_PORT: 0, LOGIN_FAILURES_PER_ACCOUNT: 2 })
  const scrape = async () => seriesOf(await app.metrics?.metrics() ?? '')
  const director = await as('director@demo.example', demoPassword)
  const [{ id }] = (await director.get('contracts/?page_size=1')).json().results

  await t.test('requests are counted by method, route and status, also refused ones', async (t) => {
    await director.get(`contracts/${id}/`)
    await director.get('contracts/999999999/', { accept: 'text/html' })
    await app.inject('/api/v1/contracts/')
    const series = await scrape()
    const count = (method: string, route: string, status: string) => series.get(`obra_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`)
    t.equal(count('GET', '/api/v1/contracts/:id/', '200'), 1)
    t.equal(count('GET', '/api/v1/contracts/:id/', '406'), 1)
    t.equal(count('GET', '/api/v1/contracts/', '401'), 1)
    t.equal(count('POST', '/api/v1/api-token-auth/', '200'), 1)
    t.equal(series.get('obra_http_requests_in_flight'), 0)
  })

  await t.test('the number of series does not depend on what callers send', async (t) => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'] as const
    const abuse = async (round: string) => {
      for (const method of methods) {
        for (const path of [`/${round}`, `/api/v1/${round}/`, `/api/v1/contracts/${round}/`, `/api/v1/contracts/${round}/tree/`, `/health/${round}?${round}`, `/api/v1/contracts/?${round}=${round}`]) {
          await app.inject({ method: method as 'GET', url: path, headers: { 'x-request-id': round, 'user-agent': round, host: `${round}.example` } })
          await director.send(method, `contracts/${round}/`)
        }
      }
    }
    await abuse('first')
    const first = await scrape()
    for (let round = 0; round < 5; round++) await abuse(`round-${round}`)
    const then = await scrape()
    const added = [...then.keys()].filter(name => !first.has(name) && name.startsWith('obra_'))
    t.strictSame(added, [], 'rounds two to six add no series')

    const labels = [...then.keys()].filter(name => name.startsWith('obra_http_request_duration_seconds_count')).map(name => [...name.matchAll(/="([^"]*)"/g)].map(([, value]) => value) as [string, string, string])
    for (const [method, route] of labels) {
      t.ok(route === 'other' || app.hasRoute({ method, url: route.replace(/\/$/, '') }) || app.hasRoute({ method, url: route }), `${method} ${route}`)
    }
    t.ok(labels.some(([method, route]) => method === 'other' && route === 'other'))
    t.notMatch([...then.keys()].join(), /first|round|demo\.example/)
    t.ok(then.size < 1500, `${then.size} series`)
  })

  await t.test('the page cache, turns, conflicts and log-ins are counted', async (t) => {
    const before = await scrape()
    const first = await director.get('contracts/?ordering=-id')
    await director.get('contracts/?ordering=-id')
    await director.get('contracts/?ordering=-id', { 'if-none-match': first.headers['etag'] as string })
    await director.send('PATCH', `contracts/${id}/`, { descripcion: 'x' }, { 'if-match': '"1.1.x.999"' })
    const changes = await Promise.all(['a', 'b', 'c'].map(async descripcion => await director.send('PATCH', `contracts/${id}/`, { descripcion })))
    t.strictSame(changes.map(({ statusCode }) => statusCode), [200, 200, 200])
    let attempts = 0
    await retrying(async () => { if (attempts++ === 0) throw Object.assign(new Error('deadlock'), { code: '40P01' }) })
    for (let attempt = 0; attempt < 3; attempt++) await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'auxiliar@demo.example', password: 'no' } })
    const after = await scrape()
    const rise = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    t.strictSame(['miss', 'hit', 'unchanged'].map(outcome => rise(`obra_page_reads_total{outcome="${outcome}"}`)), [1, 1, 1])
    t.ok((after.get('obra_page_cache_bytes') ?? 0) > 1000)
    t.equal(rise('obra_http_preconditions_failed_total'), 1)
    t.ok(rise('obra_write_conflicts_total{kind="overtaken"}') >= 1)
    t.equal(rise('obra_write_conflicts_total{kind="retried"}'), 1)
    t.strictSame(['failed', 'throttled', 'succeeded'].map(outcome => rise(`obra_password_attempts_total{outcome="${outcome}"}`)), [2, 1, 0])
    for (const turn of ['state', 'read', 'write']) t.ok(rise(`obra_turn_size_count{turn="${turn}"}`) > 0, turn)
    t.ok(rise('obra_turn_size_sum{turn="state"}') > rise('obra_turn_size_count{turn="state"}'), 'simultaneous requests share a turn')
    t.ok((after.get('obra_turn_duration_seconds_sum{turn="read"}') ?? 0) > 0)
  })

  await t.test('metrics are served on their own port, which serves nothing else', async (t) => {
    const { port, close } = await serveMetrics(loadConfig({ METRICS_PORT: '0' }), app.log, async () => app.metrics as NonNullable<typeof app.metrics>)
    t.teardown(close)
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
    const series = seriesOf(await response.text())
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds', 'obra_database_connections{state="used"}', 'obra_database_waiting']) t.ok(series.has(name), name)
    t.notMatch([...series.keys()].filter(name => name.startsWith('nodejs_active_')).join(), /_total/, 'a gauge has no name of a counter')
    t.ok([...series.keys()].some(name => name.startsWith('obra_build_info{version="')))
    t.equal((await fetch(`http://127.0.0.1:${port}/api/v1/contracts/`)).status, 404)
    t.equal((await app.inject('/metrics')).statusCode, 404, 'not on the port of the API')
    await t.rejects(serveMetrics(loadConfig({ METRICS_PORT: String(port) }), app.log, async () => app.metrics as NonNullable<typeof app.metrics>), { code: 'EADDRINUSE' })
  })

  await t.test('a worker that does not answer is down, and the metrics of the others are served', async (t) => {
    const metrics = await app.metrics?.getMetricsAsJSON()
    const gone = { isConnected: () => false } as Worker
    const emitter = new EventEmitter()
    const answering = Object.assign(emitter, { isConnected: () => true, send: () => setImmediate(() => emitter.emit('message', { metrics })) }) as unknown as Worker
    const series = seriesOf(await (await new WorkersMetrics().read(new Map([[1, gone], [2, answering]]))).metrics())
    t.strictSame([1, 2].map(worker => series.get(`obra_worker_up{worker="${worker}"}`)), [0, 1])
    t.equal(series.get('obra_http_requests_in_flight{worker="2"}'), 0)
    t.notOk(series.has('obra_http_requests_in_flight{worker="1"}'))
    t.ok([...series.keys()].some(name => name.startsWith('process_start_time_seconds{worker="2"')), 'metrics that the library would omit are included')
  })

  await t.test('the guide names each metric, with its type and labels', async (t) => {
    const guide = readFileSync(join(root, 'docs/reference/operation.md'), 'utf8')
    const table = /<!-- metrics -->\n([\s\S]*?)\n<!-- \/metrics -->/.exec(guide)?.[1] ?? ''
    const documented = table.split('\n').slice(2).map(row => row.split('|').slice(1, 4).map(cell => cell.trim().replaceAll('`', '')))
    const kept = (app.metrics?.getMetricsAsArray() ?? []).filter(({ name }) => name.startsWith('obra_')) as unknown as Array<MetricObject & { labelNames: string[] }>
    const rows = kept.map(({ name, type, labelNames }) => [name, String(type), labelNames.join(', ')])
    t.strictSame(documented.filter(([name]) => name !== 'obra_worker_up').sort(), rows.sort())
  })
})
