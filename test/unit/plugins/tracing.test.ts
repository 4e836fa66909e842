import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { isTraced } from '../../../src/server/tracing/wanted.ts'
import { build, logIn } from '../../support/helper.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Array<{ key: string, value: Record<string, unknown> }>
  status: { code: number }
}

t.test('traces are sent if OpenTelemetry\'s variables are set', async (t) => {
  const wanted = (env: Record<string, string>) => isTraced(loadConfig(env))
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318'
  t.equal(wanted({}), false)
  t.equal(wanted({ OTEL_EXPORTER_OTLP_ENDPOINT }), true)
  t.equal(wanted({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }), true)
  t.equal(wanted({ OTEL_TRACES_EXPORTER: 'otlp' }), true)
  t.equal(wanted({ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT }), false)
  t.equal(wanted({ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT }), false)
})

t.test('a request is a trace', async (t) => {
  const spans: Span[] = []
  const paths: string[] = []
  let resource: Span['attributes'] = []
  const collector = createServer(async (request, response) => {
    paths.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
    const { resourceSpans } = await json(request) as { resourceSpans: Array<{ resource: { attributes: Span['attributes'] }, scopeSpans: Array<{ spans: Span[] }> }> }
    for (const { resource: from, scopeSpans } of resourceSpans) {
      resource = from.attributes
      spans.push(...scopeSpans.flatMap(({ spans }) => spans))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  t.teardown(() => collector.close())

  const { app } = await build(t, { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`, OTEL_TRACES_SAMPLER_ARG: 1 })
  const director = await logIn(app, 'director@demo.example')
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const id = { list: 'traced-list', create: 'traced-create', keyed: 'traced-keyed', bulk: 'traced-bulk', unsampled: 'traced-not' }
  await director.get('contracts/?search=secreto-1', { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-request-id': id.list })
  await director.post('contracts/', { folio: 'secreto-3' }, { 'x-request-id': id.keyed, 'idempotency-key': 'secreto-6' })
  await Promise.all([
    director.post('contracts/', { folio: 'secreto-2' }, { 'x-request-id': id.create }),
    director.post('contracts/', { folio: 'secreto-7' }),
    director.post('contracts/bulk/', { items: [{ folio: 'secreto-4' }] }, { 'x-request-id': id.bulk, 'idempotency-key': 'secreto-5' })
  ])
  await director.get('me/', { traceparent: `00-${trace.replace('4', '5')}-00f067aa0ba902b7-00`, 'x-request-id': id.unsampled })
  await app.inject(`/api/v1/${director.access}/?token=${director.refresh}`)
  await app.inject('/health/live/')
  await app.close()

  const attributes = (span?: Span) => Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]))
  const ofRequest = (request: string) => spans.find(span => attributes(span)['obra.request_id'] === request) as Span
  const below = (span: Span) => spans.filter(({ parentSpanId, traceId }) => parentSpanId === span.spanId && traceId === span.traceId)

  t.ok(paths.length > 0, 'the last spans are sent before the server ends')
  t.equal(paths[0], 'POST /v1/traces application/json')
  t.match(Object.fromEntries(resource.map(({ key, value }) => [key, Object.values(value)[0]])), { 'service.name': 'obra', 'service.version': /^\d/ })

  const list = ofRequest(id.list)
  t.match(list, { name: 'GET /api/v1/contracts/', traceId: trace, parentSpanId: '00f067aa0ba902b7', kind: 2 })
  t.match(attributes(list), { 'http.request.method': 'GET', 'http.route': '/api/v1/contracts/', 'url.path': '/api/v1/contracts/', 'http.response.status_code': 200 })
  t.strictSame(below(list).map(({ name }) => name).sort(), ['turn read alone', 'turn state'])
  const [state] = below(list).filter(({ name }) => name === 'turn state')
  t.equal(attributes(state)['obra.turn.size'], 1)
  t.match(below(state), [{ name: 'states', kind: 3 }], 'the statement is below its turn')
  t.match(attributes(below(state)[0]), { 'db.system.name': 'postgresql', 'db.operation.batch.size': 1 })

  const created = below(ofRequest(id.create)).find(({ name }) => name === 'turn write')
  t.ok(created, 'work after the body is parsed is in the request\'s trace too')
  t.ok(Number(attributes(created)['obra.turn.size']) >= 1)
  const storing = spans.find(({ name }) => name.startsWith('lock, ') && name.endsWith(', store answers'))
  t.equal(Number(attributes(storing)['db.operation.batch.size']), storing?.name.split(', ').length, 'statements that follow from the first answers are known too')
  t.ok(below(ofRequest(id.bulk)).some(({ name }) => name === 'unit of work'))
  t.equal(ofRequest(id.unsampled), undefined, 'an unsampled caller is not recorded')
  t.notOk(spans.some(({ name }) => name.includes('health')), 'probes are not recorded')

  const all = JSON.stringify(spans)
  for (const secret of ['secreto', director.access, director.refresh, 'demo-obra-1', '@demo.example']) t.notOk(all.includes(secret), secret)
})
