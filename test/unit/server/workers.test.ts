import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { freePort } from '../../support/trial/server.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { restartPauseMs } from '../../../src/server/workers.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { argumentsIn, emptyPlace, refusedStart, startServer, type Running } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { until } from '../../support/until.ts'

t.test('the pause before a worker is replaced grows, up to a limit', async (t) => {
  const pauses = Array.from({ length: 12 }, (_, deaths) => restartPauseMs(deaths))
  t.strictSame(pauses.slice(0, 4), [200, 400, 800, 1600])
  t.strictSame(pauses.slice(-2), [30_000, 30_000])
  t.equal(restartPauseMs(10_000), 30_000)
})

/** Process ids of the workers in the order in which they started to listen, once there are enough. */
async function workersOf ({ output }: Running, number: number): Promise<number[]> {
  for (;;) {
    const lines = output().split('\n').slice(0, -1).filter(line => line.includes('Server listening'))
    if (lines.length >= number) return lines.map(line => JSON.parse(line).pid)
    await sleep(20)
  }
}

/** Processes that answer, each over a new connection. Connections are distributed in turn. */
async function processesOf (origin: string): Promise<Set<string>> {
  const ids = await Promise.all(Array.from({ length: 8 }, async () => {
    const { status, headers } = await call(origin, 'GET', 'me/', { headers: { connection: 'close' } })
    return `${status} ${headers.get('x-request-id')?.replace(/-[^-]+$/, '')}`
  }))
  return new Set(ids)
}

/** The metrics by worker: whether it answered, how many calls of `me/` it refused, and whose memory is known. */
async function metricsOf ({ output }: Running) {
  const { port } = JSON.parse(output().split('\n').find(line => line.includes('metrics at /metrics')) as string)
  const lines = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n')
  const byWorker = (series: RegExp): Record<string, number> =>
    Object.fromEntries(lines.filter(line => series.test(line)).map(line => [/worker="([^"]*)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]))
  return {
    up: byWorker(/^obra_worker_up/),
    refused: byWorker(/^obra_http_request_duration_seconds_count.*method="GET",route="\/api\/v1\/me\/",status="401"/),
    processes: Object.keys(byWorker(/^process_resident_memory_bytes/)).sort()
  }
}

/** The metrics once both workers have answered. A worker that is slow to answer is down in a scrape. */
async function metricsOfAll (running: Running) {
  let measured = await metricsOf(running)
  await until(async () => {
    measured = await metricsOf(running)
    return measured.up['1'] === 1 && measured.up['2'] === 1
  })
  return measured
}

/** @returns whether the process exists */
function signal (pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

async function hasEnded (pid: number): Promise<void> {
  while (signal(pid, 0)) await sleep(20)
}

const body = JSON.stringify({ email: 'director@demo.example', password: demoPassword })

/** A log-in whose headers the server has received, and whose body it waits for. */
async function beginLogIn (origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(`POST /api/v1/api-token-auth/ HTTP/1.1\r\nHost: obra\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
  const [first] = await once(socket, 'data')
  if (!String(first).startsWith('HTTP/1.1 100 Continue')) throw new Error(String(first))
  return socket
}

t.test('several processes', { skip: server === undefined && 'only one process can open the embedded database' }, async (t) => {
  const place = await emptyPlace(t)

  await t.test('start with one command, prepare the database and the key once, share the port, and replace workers that end', async (t) => {
    const running = await startServer(t, place, { METRICS_PORT: '0', PORT: String(await freePort()) }, ['src/cli/obra.ts', 'start', '--workers', '2'])
    const [first, second] = await workersOf(running, 2)
    t.not(first, second)
    t.equal(running.output().match(/Obra is listening/g)?.length, 1)
    t.match(running.output(), demoPassword)
    const processes = await processesOf(running.origin)
    t.equal(processes.size, 2, [...processes].join())
    const listed = argumentsIn(place.dir)
    t.equal(listed.length, 3, listed.join())
    for (const secret of [readFileSync(join(place.dataDir, 'signing-key'), 'utf8').trim(), new URL(place.env['DATABASE_URL']).pathname]) t.notMatch(listed.join(), secret, 'no secret is on a command line')

    const { access } = await tokensOf(running.origin, 'director@demo.example', demoPassword)
    for (let count = 60; count < 64; count++) {
      const headers = { connection: 'close' }
      t.match(await call(running.origin, 'GET', 'contracts/?page_size=1', { token: access, headers }), { status: 200, body: { count } }, 'workers share the key and the database')
      t.equal((await call(running.origin, 'POST', 'contracts/', { token: access, headers, body: { folio: `W-${count}` } })).status, 201)
    }

    const measured = await metricsOfAll(running)
    t.match(measured.refused, { 1: /^[1-7]$/, 2: /^[1-7]$/ }, 'each worker counts separately, on one port')
    t.equal(Object.values(measured.refused).reduce((sum, one) => sum + one, 0), 8)
    t.strictSame(measured.processes, ['1', '2', 'primary'])

    process.kill(first, 'SIGKILL')
    await hasEnded(first)
    t.match(await call(running.origin, 'GET', 'me/', { token: access, headers: { connection: 'close' } }), { status: 200 }, 'the other worker serves')
    process.kill(second, 'SIGKILL')
    const [,, ...others] = await workersOf(running, 4)
    t.equal(new Set([first, second, ...others]).size, 4)
    t.strictSame((await metricsOfAll(running)).refused, {}, 'a new worker starts its series at zero')
    for (const pid of [first, second]) t.match(running.output(), `"worker":${pid},"end":"SIGKILL","pause":200,"msg":"worker ended, starting another"`)
    t.match(running.output().split('\n').filter(line => line.includes('Server listening')).at(-1), `${running.origin}"`, 'on the same port')

    const socket = await beginLogIn(running.origin)
    running.signal('SIGINT')
    for (const pid of others) signal(pid, 'SIGINT') // as a terminal or supervisor that signals the whole process group
    await refusesConnections(running.origin)
    running.signal('SIGINT') // as npm repeats it after `WORKERS=2 npm start`
    const answer = text(socket)
    socket.write(body)
    t.match(await answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"access":"[^"]+"/, 'requests in flight are answered')
    t.match(await running.ended, { code: 0, stderr: '' })
  })

  await t.test('do not start on a port in use, and report it once', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.teardown(() => taken.close())
    const { port } = taken.address() as AddressInfo
    const { code, stdout, stderr } = await refusedStart(t, place, { PORT: String(port), WORKERS: '3', LOG_LEVEL: 'silent' })
    t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: new RegExp(`^obra: port ${port} is in use: [^\n]+\n$`) })
  })

  await t.test('end immediately on a later signal', async (t) => {
    const running = await startServer(t, place, { WORKERS: '2', WEBHOOK_PROXY: 'http://127.0.0.1:1' })
    const pids = await workersOf(running, 2)
    const socket = await beginLogIn(running.origin)
    running.signal('SIGINT')
    await refusesConnections(running.origin)
    const further = setInterval(() => { running.signal('SIGINT') }, 100)
    t.teardown(() => { clearInterval(further) })
    socket.on('error', () => {}).resume()
    const { code, stdout } = await running.ended
    t.equal(code, 1)
    t.notMatch(stdout, 'killed by timeout')
    t.equal(stdout.match(/the service of WEBHOOK_PROXY cannot be used/g)?.length, 1, 'only the main process logs an outage')
    await Promise.all(pids.map(hasEnded))
  })

  await t.test('end when the main process is killed', async (t) => {
    const running = await startServer(t, place, { WORKERS: '2' })
    const pids = await workersOf(running, 2)
    running.signal('SIGKILL')
    await Promise.all(pids.map(hasEnded))
    t.equal((await running.ended).code, null)
  })
})

/** Resolves when no process accepts connections any more. */
async function refusesConnections (origin: string): Promise<void> {
  const { hostname, port } = new URL(origin)
  for (;;) {
    const socket = connect(Number(port), hostname)
    try {
      await once(socket, 'connect')
    } catch {
      return
    } finally {
      socket.destroy()
    }
  }
}
