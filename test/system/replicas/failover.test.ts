import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, logIn, type Client } from '../../support/helper.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { server as suitePostgres } from '../../support/template.ts'
import { until } from '../../support/until.ts'
import { withoutCluster } from '../../support/trial/cluster.ts'
import { demoCluster, standbyOf } from '../torture/demo-cluster.ts'
import { looking } from '../kernel/psql.ts'

const skip = suitePostgres === undefined ? 'the embedded database has no standby' : withoutCluster()

/** A TCP proxy, as HAProxy before a primary: it forwards to `url`, and closes all connections when that changes. */
async function startProxy (t: Test, url: string) {
  const sockets = new Set<Socket>()
  let target = new URL(url)
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [[client, upstream], [upstream, client]] as const) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => { sockets.delete(socket); other.destroy() })
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = () => { for (const socket of sockets) socket.destroy() }
  t.teardown(() => { cut(); proxy.close() })
  const own = new URL(url)
  own.port = String((proxy.address() as AddressInfo).port)
  return {
    url: own.href,
    moveTo (url: string): void {
      target = new URL(url)
      cut()
    }
  }
}

t.test('after a failover to a standby that lacked commits, nothing of the lost timeline is answered or accepted', { skip }, async (t) => {
  const primary = await demoCluster(t)
  const standby = await standbyOf(t, primary)
  const proxy = await startProxy(t, primary.url)
  // Two servers with page caches and sessions in memory. The replica is the standby.
  const env = { DATABASE_URL: proxy.url, DATABASE_REPLICAS: standby.url }
  const apps = [await buildOn(t, await openDatabase(loadConfig(env), 'refuse', patientCheck())), await buildOn(t, await openDatabase(loadConfig(env), 'refuse', patientCheck()))]
  const clients = await Promise.all(apps.map(async app => await logIn(app, 'director@demo.example'))) as [Client, Client]
  const [first, second] = clients
  const corporate = await logIn(apps[0], 'corporativo@demo.example')

  const kept = (await first.post('contracts/', { folio: 'F-1', monto: '1.00' })).json()
  const record = `contracts/${kept.id}/`
  const old = (await first.get('changes/?page_size=200')).json().cursor
  const lists = ['contracts/?ordering=-id', 'contracts/?search=F-', record]
  for (const client of clients) for (const url of lists) await client.get(url)
  const [user] = (await corporate.get('users/?search=auxiliar')).json().results

  // The standby has everything up to here, and nothing after it.
  await until(async () => await looking({ dataDir: '', env: { DATABASE_URL: standby.url } }, async psql => (await psql("select from contracts where folio = 'F-1'")).length > 0))
  await standby.stop('fast')
  t.equal((await first.post('contracts/', { folio: 'F-2' })).statusCode, 201)
  const patched = await first.send('PATCH', record, { monto: '2.00' })
  t.equal(patched.statusCode, 200)
  t.equal((await corporate.send('PATCH', `users/${user.id}/`, { nombre: 'Perdido' })).statusCode, 200)
  const seen = await Promise.all(clients.map(async client => await Promise.all(lists.map(async url => await client.get(url)))))
  t.match(seen[1]?.[0]?.json().results[0], { folio: 'F-2' })
  const cursor = (await second.get('changes/?page_size=200')).json().cursor

  await primary.stop('immediate')
  await standby.start()
  await standby.promote()
  proxy.moveTo(standby.url)
  await until(async () => (await Promise.all(clients.map(async client => (await client.get('contracts/?page_size=1')).statusCode))).every(status => status === 200))

  const check = async (client: Client, url: string, etag: unknown) => {
    const { statusCode, body } = await client.get(url, { 'if-none-match': String(etag) })
    t.equal(statusCode, 200, `${url}: no 304 for an ETag of the lost timeline`)
    t.notMatch(body, /F-2|"2\.00"/, `${url}: nothing lost is shown`)
    t.notMatch((await client.get(url)).body, /F-2|"2\.00"/, `${url}: the cache forgets it`)
  }
  const checkAll = async () => {
    for (const [index, client] of clients.entries()) for (const [place, url] of lists.entries()) await check(client, url, seen[index]?.[place]?.headers['etag'])
    t.equal((await first.send('PATCH', record, { monto: '3.00' }, { 'if-match': String(patched.headers['etag']) })).statusCode, 412, 'If-Match of the lost timeline')
    const feed = await first.get(`changes/?cursor=${cursor}`)
    t.match([feed.statusCode, feed.json().reason], [410, 'forked'])
  }
  await checkAll()
  t.equal((await corporate.get(`users/${user.id}/`)).json().nombre, user.nombre)

  // The revisions and versions of the lost timeline are given out again, for other content.
  t.equal((await second.post('contracts/', { folio: 'F-3' })).statusCode, 201)
  t.equal((await second.send('PATCH', record, { monto: '4.00' })).statusCode, 200)
  const { version, monto } = (await first.get(record)).json()
  t.strictSame([version, monto], [patched.json().version, '4.00'], 'the same version, another content')
  await checkAll()
  const { statusCode, body } = await second.get(`changes/?cursor=${old}`)
  t.equal(statusCode, 200, 'a cursor from before continues')
  t.match(JSON.parse(body).changes.map(({ record }: { record: { folio: string } }) => record?.folio).sort(), ['F-1', 'F-3'])
})
