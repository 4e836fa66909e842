import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { message } from '../../../../../../src/http/messages.ts'
import { inProgress } from '../../../../../../src/http/slices.ts'
import { build } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'
import { logOf } from '../../../../../support/log.ts'
import { until } from '../../../../../support/until.ts'

const { app, as, psql } = await build(t, { LOG_LEVEL: 'error' })
const log = logOf(app)
const director = await as('director@demo.example')
const accept = { accept: 'text/csv' }

/** A file closes after its answer, and is open until then. */
const closed = async () => await until(() => app.spools.bytes === 0)
t.beforeEach(closed)

t.test('a customer has four exports open at once; then there is room again', async (t) => {
  const answers = await Promise.all(Array.from({ length: 6 }, async () => await director.get('contracts/', accept)))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 200, 200, 429, 429])
  for (const { headers, body } of refused) {
    t.equal(headers['retry-after'], '10')
    t.strictSame(JSON.parse(body), { detail: message('en', 'tooManyExports', { most: 4, wait: 10 }), code: 'throttled' })
  }
  t.equal((await director.get('contracts/', accept)).statusCode, 200)
})

t.test('HEAD has the headers of the file and no body; errors and 304 leave no export open', async (t) => {
  const { headers: { etag } } = await director.get('contracts/', accept)
  for (let round = 0; round < 5; round++) {
    await closed()
    const { statusCode, headers, body } = await director.send('HEAD', 'contracts/', undefined, accept)
    t.strictSame([statusCode, headers.etag, body], [200, etag, ''])
    t.equal((await director.get('contracts/', { ...accept, 'if-none-match': String(etag) })).statusCode, 304)
    t.equal((await director.get('contracts/?ordering=folio,-folio', accept)).statusCode, 400)
  }
})

t.test('a list of more than 100,000 rows is refused; its filtered list is not', async (t) => {
  await psql('set session_replication_role = replica')
  await psql("insert into contrapartes (company_id, nombre) select 1, 'Fila ' || n from generate_series(1, 100001) n")
  await psql('set session_replication_role = origin')
  const { statusCode, json } = await director.get('contrapartes/', accept)
  t.strictSame([statusCode, json()], [400, invalid({ non_field_errors: [message('en', 'tooManyRows', { max_rows: 100_000 })] })])
  t.equal((await director.get('contrapartes/?nombre=nada&fields=id', accept)).statusCode, 400, 'an unknown filter is refused first')
  const found = await director.get('contrapartes/?rfc=XAXX010101000&fields=id', accept)
  t.equal(found.statusCode, 200)
})

t.test('readers of a large file', async (t) => {
  await psql('set session_replication_role = replica')
  await psql("insert into contrapartes (company_id, nombre, tipo, notas) select 1, 'Larga ' || n, 'proveedor', repeat('x', 1000) from generate_series(1, 20000) n")
  await psql('set session_replication_role = origin')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1')
    const path = '/api/v1/contrapartes/?tipo=proveedor&fields=id,nombre,notas'
    socket.write(`GET ${path} HTTP/1.1\r\nHost: obra.example\r\nAuthorization: Bearer ${director.access}\r\nAccept: text/csv\r\nConnection: close\r\n\r\n`)
    return socket
  }
  const hasRoom = async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, async () => await director.get('contracts/', accept)))
    return answers.every(({ statusCode }) => statusCode === 200)
  }

  await t.test('a client that disconnects while the rows are read, or while it receives the file, gives its bytes back', async (t) => {
    await until(() => inProgress.requests === 0)
    const early = open()
    await until(() => app.spools.bytes > 0)
    t.equal(inProgress.requests, 0, 'an export lets other requests run first, so it does not count itself')
    early.destroy()
    await until(() => app.spools.bytes === 0)
    const late = open()
    await once(late, 'data')
    late.pause()
    t.ok(app.spools.bytes > 20_000_000, `${app.spools.bytes} bytes`)
    late.destroy()
    await until(() => app.spools.bytes === 0)
    t.ok(await hasRoom())
  })

  await t.test('a slow client keeps its bytes until it has the whole file', async (t) => {
    const socket = open()
    let length = 0
    let kept = 0
    for await (const chunk of socket) {
      if (length === 0) kept = app.spools.bytes
      length += (chunk as Buffer).length
      if (length < 1_000_000) await sleep(5)
    }
    t.ok(length > kept && kept > 20_000_000, `${kept} bytes of ${length} in all`)
    await until(() => app.spools.bytes === 0)
    t.ok(await hasRoom())
  })
})

t.test('a file that is too large, or that finds no room, is refused, and gives its bytes back', async (t) => {
  const limits = { ...app.spools.limits }
  t.strictSame(limits, { perText: 100_000_000, total: 1_000_000_000 })
  app.spools.limits.perText = 2000
  const { statusCode, json } = await director.get('contracts/', accept)
  t.strictSame([statusCode, json()], [400, invalid({ non_field_errors: [message('en', 'fileTooLarge', { max_mb: 0.002 })] })])
  t.equal((await director.get('contracts/?folio=ON-2026-001', accept)).statusCode, 200, 'a filter helps')
  Object.assign(app.spools.limits, { ...limits, total: 2000 })
  const full = await director.get('contracts/', accept)
  t.strictSame([full.statusCode, full.headers['retry-after'], full.json()], [503, '10', { detail: message('en', 'otherExports'), code: 'unavailable' }])
  t.equal(log.length, 0, 'neither is an error of the server')
  Object.assign(app.spools.limits, limits)
  t.equal(app.spools.bytes, 0)
  t.equal((await director.get('contracts/', accept)).statusCode, 200)
})

t.test('without a folder for temporary files, an export is 503 with a log line', async (t) => {
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = '/nowhere'
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  })
  for (let round = 0; round < 5; round++) {
    const { statusCode, headers, json } = await director.get('contracts/', accept)
    t.strictSame([statusCode, headers['retry-after'], json()], [503, '1', { detail: message('en', 'unavailable'), code: 'unavailable' }])
  }
  t.match(log, Array.from({ length: 5 }, () => ({ msg: 'request failed', err: { cause: { code: 'ENOENT' } } })))
})
