import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import t, { type Test } from 'tap'
import { sender } from '../../../src/jobs/webhooks/send.ts'
import { certificate, httpReceiver, httpsReceiver } from '../../support/receiver.ts'
import { recordConnections } from './connections.ts'
import { forbiddenAddresses, forbiddenHosts, forbiddenUrls, loopbackHosts } from './webhook-targets.ts'

const url = 'https://receiver.example/'

type Environment = 'production' | 'development'

/** Receivers with and without TLS, and the destinations of all sockets. Both ports are allowed, so that the other rules decide. */
async function open (t: Test, answer: Parameters<typeof httpReceiver>[1] = (_request, response) => { response.end() }) {
  const plain = await httpReceiver(t, answer)
  const secure = await httpsReceiver(t, answer)
  const destinations = recordConnections(t, secure.port, [plain.port, secure.port])
  const connections = () => plain.connections.length + secure.connections.length
  const senderOf = (NODE_ENV: Environment, resolve: (name: string) => Promise<string[]> = async () => ['1.1.1.1']) => {
    const opened = sender({ NODE_ENV, WEBHOOK_PORTS: `443,${plain.port},${secure.port}` }, { ca: certificate, resolve })
    t.teardown(() => opened.close())
    return opened
  }
  return { ports: [plain.port, secure.port], destinations, connections, senderOf }
}

/** URLs with and without TLS, on the ports of the receivers and on the default port. */
function urlsOf (hosts: string[], ports: number[]): string[] {
  return hosts.flatMap(host => ['', ...ports.map(port => `:${port}`)].flatMap(port => [`https://${host}${port}/`, `http://${host}${port}/`]))
}

t.test('the corpus has at least 100 hosts and 50 other URLs, each once', async (t) => {
  t.ok(forbiddenHosts.length + loopbackHosts.length > 150)
  t.ok(forbiddenUrls.length > 50)
  const all = [...forbiddenHosts, ...loopbackHosts, ...forbiddenUrls]
  t.equal(new Set(all).size, all.length)
})

t.test('allowed URLs connect', async (t) => {
  const { ports: [plain, secure], destinations, connections, senderOf } = await open(t)
  for (const environment of ['production', 'development'] as const) {
    t.match(await senderOf(environment).send(url, {}, ''), { status: 200 })
    t.match(await senderOf(environment).send(`https://receiver.example:${secure}/`, {}, ''), { status: 200 })
  }
  t.match(await senderOf('development').send(`http://127.0.0.1:${plain}/`, {}, ''), { status: 200 })
  t.match(await senderOf('development').send(`https://localhost:${secure}/`, {}, ''), { status: 200 })
  t.match(await senderOf('production').send('https://1.1.1.1/', {}, ''), { error: 'the TLS certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)' })
  t.match(destinations, ['1.1.1.1:443', `1.1.1.1:${secure}`, '1.1.1.1:443', `1.1.1.1:${secure}`, `127.0.0.1:${plain}`, `127.0.0.1:${secure}`, `::1:${secure}`, '1.1.1.1:443'])
  t.equal(connections(), 7)
})

t.test('an unprotected client connects to the URLs of the corpus', async (t) => {
  const { ports, destinations } = await open(t)
  const urls = [...urlsOf([...forbiddenHosts, ...loopbackHosts], ports), ...forbiddenUrls].filter(url => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  t.ok(urls.length > 800)
  for (const url of urls) {
    const before = destinations.length
    const request = url.startsWith('https:') ? overHttps : overHttp
    await new Promise<void>(resolve => request(new URL(url), { agent: false, protocol: null }).on('error', () => {}).on('socket', (socket) => {
      socket.destroy()
      resolve()
    }))
    t.equal(destinations.length, before + 1, url)
  }
})

for (const environment of ['production', 'development'] as const) {
  t.test(`no URL of the corpus leads to a connection in ${environment}`, async (t) => {
    const { ports, destinations, connections, senderOf } = await open(t)
    const { send } = senderOf(environment)
    const hosts = environment === 'production' ? [...forbiddenHosts, ...loopbackHosts] : forbiddenHosts
    const urls = [...urlsOf(hosts, ports), ...forbiddenUrls.flatMap(url => ports.map(port => url.replace('PORT', String(port))))]
    for (const url of urls) t.match(await send(url, {}, '{}'), { status: null, body: '', error: String }, url)
    t.strictSame(destinations, [])
    t.equal(connections(), 0)
  })

  t.test(`no name with a forbidden address leads to a connection in ${environment}`, async (t) => {
    const { ports, destinations, connections, senderOf } = await open(t)
    let addresses: string[] = []
    const { send } = senderOf(environment, async () => addresses)
    for (const address of forbiddenAddresses) {
      for (addresses of [[address], ['1.1.1.1', address], [address, '2606:4700::1111']]) {
        for (const target of [url, ...ports.map(port => `https://receiver.example:${port}/`)]) {
          t.match(await send(target, {}, '{}'), { status: null, error: 'the name has an address that is not public' }, String(addresses))
        }
      }
    }
    t.strictSame(destinations, [])
    t.equal(connections(), 0)
  })

  t.test(`a name that changes to a forbidden address is refused in ${environment}`, async (t) => {
    let requests = 0
    const { destinations, senderOf } = await open(t, ({ socket }, response) => {
      requests++
      if (requests === 2) socket.destroy()
      else response.end()
    })
    for (const address of ['127.0.0.1', '169.254.169.254', '::1']) {
      requests = 0
      destinations.length = 0
      const answers = [['1.1.1.1'], [address]]
      const { send } = senderOf(environment, async () => answers.shift() as string[])
      t.match(await send(url, {}, ''), { status: 200 })
      t.match(await send(url, {}, ''), { status: null, error: 'the name has an address that is not public' }, 'the repetition after the reset of an idle connection')
      t.strictSame([destinations, answers, requests], [['1.1.1.1:443'], [], 2], 'each connection has one look-up')
    }
  })

  t.test(`redirects to forbidden addresses are not followed in ${environment}`, async (t) => {
    let location = ''
    const { ports: [plain], destinations, senderOf } = await open(t, (_request, response) => { response.writeHead(307, { location, connection: 'close' }).end() })
    const { send } = senderOf(environment)
    for (location of [`http://127.0.0.1:${plain}/`, `http://localhost:${plain}/`, 'http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd', '//10.0.0.1/']) {
      destinations.length = 0
      t.match(await send(url, {}, ''), { status: 307, error: null }, location)
      t.strictSame(destinations, ['1.1.1.1:443'])
    }
  })
}
