import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { freePort } from '../support/trial/server.ts'
import { build, type Client } from '../support/helper.ts'
import { passedOver } from '../support/missing.ts'
import { environment, newFolder, nodeOptions, root, withoutTap } from '../support/process.ts'
import { until } from '../support/until.ts'

/** A running receiver of the documentation. */
interface Running {
  url: string
  /** Ids and bodies of the deliveries that it has kept, in order. */
  inbox: () => Array<{ webhook_id: string, body: string }>
  /** The states that it has stored: versions and folios by id. */
  contracts: () => Record<number, { version: number, folio: string | undefined }>
  /** Reads its file in a transaction that lasts until `end`. */
  read: () => { end: () => void }
}

const hasFlask = spawnSync('python3', ['-c', 'import flask']).status === 0
const receivers = {
  'receiver.ts': { command: process.execPath, options: nodeOptions, skip: false },
  'receiver.py': { command: 'python3', options: [], skip: passedOver(!hasFlask && 'Python or Flask is not installed') }
} as const

for (const [file, { command, options, skip }] of Object.entries(receivers)) {
  t.test(`${file} stores every change once, and no forged one`, { skip }, async (t) => {
    const { app, as } = await build(t)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const director = await as('director@demo.example')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/obra`
    const hook = await created(director, 'webhooks/', { url })
    const receiver = await start(t, [command, ...options, join(root, 'docs/examples/webhooks', file)], { PORT: String(port), WEBHOOK_SECRET: hook['secret'] as string }, url)

    const { id } = await created(director, 'contracts/', { folio: 'GANCHO-1' })
    const { id: other } = await created(director, 'contracts/', { folio: 'GANCHO-2' })
    await until(() => receiver.contracts()[other] !== undefined)
    await director.send('PATCH', `contracts/${id}/`, { folio: 'GANCHO-3' })
    await director.send('DELETE', `contracts/${other}/`)
    await until(() => receiver.contracts()[other]?.folio === undefined)
    t.strictSame(receiver.contracts(), { [id]: { version: 2, folio: 'GANCHO-3' }, [other]: { version: Infinity, folio: undefined } })

    const kept = receiver.inbox()
    const [first] = kept as [typeof kept[0]]
    t.equal(await send(url, hook['secret'] as string, first.webhook_id, first.body), 204, 'a delivery that comes again is accepted')
    t.equal(await send(url, hook['secret'] as string, 'msg_old', first.body), 204, 'an older state is accepted')
    await until(() => receiver.inbox().length > kept.length)
    const forged = first.body.replace('GANCHO-1', 'FALSO')
    t.equal(await send(url, `whsec_${randomBytes(32).toString('base64')}`, 'msg_forged', forged), 401, 'another secret')
    t.equal(await send(url, hook['secret'] as string, 'msg_late', forged, new Date(Date.now() - 600_000)), 401, 'an old signature')
    t.equal((await fetch(url, { method: 'POST', body: forged, headers: { 'content-type': 'application/json' } })).status, 401, 'no signature')

    await director.send('PATCH', `webhooks/${hook['id']}/`, { batch: 100 })
    const items = ['GANCHO-4', 'GANCHO-5'].map(folio => ({ folio }))
    const { results } = (await director.post('contracts/bulk/', { items })).json()
    t.equal((await director.post(`webhooks/${hook['id']}/test/`)).json().estado_http, 204, 'a ping')
    await until(() => results.every(({ id }: { id: number }) => receiver.contracts()[id] !== undefined))
    const { [id]: changed, [other]: deleted } = receiver.contracts()
    t.strictSame([changed?.folio, deleted?.folio], ['GANCHO-3', undefined], 'the older state has replaced nothing')
    const reading = receiver.read()
    const delivery = send(url, hook['secret'] as string, 'msg_read', first.body)
    await sleep(200)
    reading.end()
    t.equal(await delivery, 204, 'a delivery while another process reads the file')
    await until(() => receiver.inbox().some(one => one.webhook_id === 'msg_read'))

    const ids = receiver.inbox().map(one => one.webhook_id)
    t.equal(ids.filter(one => one === first.webhook_id).length, 1)
    t.notMatch(ids.join(), /forged|late/)
  })
}

async function created (client: Client, path: string, body: unknown): Promise<Record<string, unknown> & { id: number }> {
  const response = await client.post(path, body)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json()
}

/** Sends a delivery signed at a time. @returns the status */
async function send (url: string, secret: string, id: string, body: string, at = new Date()): Promise<number> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': new Webhook(secret).sign(id, at, body) }
  return (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })).status
}

/** Starts a receiver in a new folder, and waits until it listens. It ends with the test. */
async function start (t: Test, [command, ...args]: [string, ...string[]], env: Record<string, string>, url: string): Promise<Running> {
  const { dir } = newFolder(t)
  const child = spawn(...withoutTap(command, args), { cwd: dir, env: environment(env), stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text })
  const closed = once(child, 'close')
  t.teardown(async () => {
    child.kill()
    await closed
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(stderr)
    return await fetch(url).then(() => true, () => false)
  })
  const open = () => new DatabaseSync(join(dir, 'receiver.db'), { readOnly: true, timeout: 5000 })
  const rows = (sql: string) => {
    const database = open()
    try {
      return database.prepare(sql).all() as Array<Record<string, unknown>>
    } finally {
      database.close()
    }
  }
  return {
    url,
    read () {
      const database = open()
      database.exec('begin; select count(*) from inbox')
      return { end: () => database.close() }
    },
    inbox: () => rows('select webhook_id, body from inbox where done order by rowid').map(row => ({ ...row })) as ReturnType<Running['inbox']>,
    contracts: () => Object.fromEntries(rows("select id, version, record from records where resource = 'contracts'").map(({ id, version, record }) => [id, { version, folio: JSON.parse(record as string)?.folio }])) as ReturnType<Running['contracts']>
  }
}
