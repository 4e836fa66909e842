import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { logOutages, outageOf, outsideServices } from '../../../src/server/outside-services.ts'

/** Nothing listens on port 1. */
const closed = '127.0.0.1:1'

/** Accepts connections and sends nothing. */
async function silentService (t: Test): Promise<string> {
  const service = createServer(socket => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
  await once(service, 'listening')
  t.teardown(() => service.close())
  return `127.0.0.1:${(service.address() as AddressInfo).port}`
}

async function outagesOf (env: Record<string, string>): Promise<Record<string, string | undefined>> {
  const services = outsideServices(loadConfig(env))
  return Object.fromEntries(await Promise.all(services.map(async service => [service.variable, await outageOf(service)])))
}

t.test('each configured service is tried', async (t) => {
  const variables = (env: Record<string, string>) => outsideServices(loadConfig(env)).map(({ variable }) => variable)
  const [OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT] = [`http://${closed}`, `http://${closed}/v1/traces`]
  t.strictSame(variables({}), [])
  t.strictSame(variables({ REDIS_URL: `redis://${closed}`, WEBHOOK_PROXY: `http://${closed}`, OTEL_EXPORTER_OTLP_ENDPOINT }), ['REDIS_URL', 'WEBHOOK_PROXY', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
  t.strictSame(variables({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }), ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'], 'the variable that the exporter uses')
  t.strictSame(variables({ OTEL_TRACES_EXPORTER: 'otlp' }), ['OTEL_TRACES_EXPORTER'])
  t.strictSame(variables({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' }), [])
})

t.test('an outage names the variable and the reason, and no password', async (t) => {
  t.strictSame(await outagesOf({ REDIS_URL: `redis://:secreto@${closed}`, WEBHOOK_PROXY: `http://obra:secreto@${closed}`, OTEL_EXPORTER_OTLP_ENDPOINT: `https://${closed}` }), {
    REDIS_URL: 'the service of REDIS_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1; meanwhile each process counts requests and log-ins separately',
    WEBHOOK_PROXY: 'the service of WEBHOOK_PROXY cannot be used: connect ECONNREFUSED 127.0.0.1:1; meanwhile no webhooks are delivered',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'the service of OTEL_EXPORTER_OTLP_ENDPOINT cannot be used: connect ECONNREFUSED 127.0.0.1:1; meanwhile traces are lost'
  })
  t.match(await outagesOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://two words/' }), { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: /cannot be used: Invalid URL;/ })
})

t.test('a service that takes a connection can be used, but Redis must answer, within two seconds', async (t) => {
  const address = await silentService(t)
  const outages = await outagesOf({ REDIS_URL: `redis://${address}`, WEBHOOK_PROXY: `http://${address}`, OTEL_EXPORTER_OTLP_ENDPOINT: `http://${address}/` })
  t.match(outages, { REDIS_URL: /^the service of REDIS_URL cannot be used: (Command timed out|no answer within 2 s);/ })
  t.match(outages, { WEBHOOK_PROXY: undefined, OTEL_EXPORTER_OTLP_ENDPOINT: undefined })
  const never = { variable: 'X', loss: 'nothing works', isConnectedAtStart: false, attempt: async (signal: AbortSignal) => { await once(createServer(), 'x', { signal }) } }
  const outage = outageOf(never)
  const beyond = setTimeout(() => t.fail('it waits longer'), 4000) // also keeps the process running, as a server's socket does
  t.equal(await outage, 'the service of X cannot be used: no answer within 2 s; meanwhile nothing works')
  clearTimeout(beyond)
})

t.test('a start logs one line per outage, except that of Redis, which logs its own', async (t) => {
  const lines: string[] = []
  const env = { REDIS_URL: `redis://${closed}`, WEBHOOK_PROXY: `http://${closed}`, OTEL_EXPORTER_OTLP_ENDPOINT: `http://${await silentService(t)}` }
  await logOutages(loadConfig(env), { warn: (line: string) => { lines.push(line) } })
  t.match(lines, [/^the service of WEBHOOK_PROXY cannot be used/])
  t.equal(lines.length, 1)
})
