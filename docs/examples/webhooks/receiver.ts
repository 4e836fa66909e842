import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { Webhook } from 'standardwebhooks'

/** A change of a record. A deleted record has no `record`. */
interface Change {
  resource: string
  id: number
  record?: { version: number }
}

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env
const webhook = new Webhook(WEBHOOK_SECRET)
// Without `timeout`, a delivery fails if another process reads the file at the same moment.
const database = new DatabaseSync('receiver.db', { timeout: 5000 })
database.exec(`
  create table if not exists inbox (webhook_id text primary key, body text not null, done int not null default 0);
  create table if not exists records (resource text, id int, version, record text, primary key (resource, id))`)

// The primary key drops a delivery that comes again.
const receive = database.prepare('insert or ignore into inbox (webhook_id, body) values (?, ?)')
const waiting = database.prepare('select webhook_id, body from inbox where not done order by rowid')
const finish = database.prepare('update inbox set done = 1 where webhook_id = ?')
// An older state never replaces a newer one.
const store = database.prepare(`
  insert into records (resource, id, version, record) values (?, ?, ?, ?)
  on conflict (resource, id) do update set version = excluded.version, record = excluded.record where excluded.version > records.version`)

/** Stores the changes in the inbox. It can run again after a crash or an error. */
function work () {
  for (const { webhook_id: id, body } of waiting.all() as Array<{ webhook_id: string, body: string }>) {
    for (const change of changesIn(body)) apply(change)
    finish.run(id)
  }
}

/** With a `batch` above 1, `data` is a list. A ping has no change. */
function changesIn (body: string): Change[] {
  const { type, data } = JSON.parse(body)
  return type === 'ping' ? [] : [data].flat()
}

/** Replace this by the work of your own system. */
function apply ({ resource, id, record }: Change) {
  // Ids are not used again, so a deletion is final.
  const { changes } = store.run(resource, id, record?.version ?? Infinity, JSON.stringify(record ?? null))
  if (changes > 0) console.log(resource, id, JSON.stringify(record))
}

const app = Fastify({ logger: { level: 'error' } })

// The signature is of the bytes of the body.
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body))

app.post('/obra', async ({ body, headers }, reply) => {
  try {
    webhook.verify(body as string, headers as Record<string, string>)
  } catch {
    return await reply.code(401).send()
  }
  receive.run(headers['webhook-id'] as string, body as string)
  return await reply.code(204).send()
})

// After the answer, so that Obra does not wait for it.
app.addHook('onResponse', async () => work())

work()
await app.listen({ port: Number(PORT) })
