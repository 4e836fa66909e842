import t, { type Test } from 'tap'
import { Purge } from '../../../../src/jobs/purging/purge.ts'
import { decode, sidOf } from '../../../support/forge.ts'
import { build } from '../../../support/helper.ts'
import { withoutBatchTimeout } from '../../../support/purging.ts'
import { commandsOn } from '../../cli/parse.ts'

const server = await build(t, { RATE_LIMIT: 'off' })
const { as, psql } = server
const database = { ...server.database, sql: withoutBatchTimeout(server.database.sql) }
const { run, json } = commandsOn({ ...server, database })
const director = await as('director@demo.example')
const none = { known_addresses: 0, refresh_tokens: 0, sessions: 0, idempotency_keys: 0, mutations: 0, device_refs: 0, devices: 0, webhook_deliveries: 0, changes: 0 }
const purge = async (most?: number) => await new Purge(database.sql, most).run({ pause: 0, waitForLock: true })

/** A test that starts without keys and known addresses. A hook of the file would also run for other files in this process. */
function test (name: string, run: (t: Test) => Promise<void>): void {
  t.test(name, async (t) => {
    await psql('delete from idempotency_keys')
    await psql('delete from known_addresses')
    await run(t)
  })
}

test('without expired rows nothing is removed', async (t) => {
  t.strictSame(await purge(), none)
  t.match(await run(['purge']), { error: undefined, out: 'no expired rows\n' })
  t.strictSame(await json(['purge']), { removed: none })
})

test('a session is removed when none of its tokens is valid any more', async (t) => {
  const clients = { revoked: 7.9, gone: 8.1, expired: 8.1, idle: 8.1, used: 7.9 }
  const ids: Record<string, string> = {}
  for (const name of Object.keys(clients)) ids[name] = sidOf((await as('auxiliar@demo.example')).access)
  const age = async (set: string, name: keyof typeof clients) => await psql(`update sessions set ${set} where id = $1`, [ids[name]])
  await age("revoked_at = clock_timestamp() - interval '7.9 days'", 'revoked')
  await age("revoked_at = clock_timestamp() - interval '8.1 days'", 'gone')
  await age("expires_at = clock_timestamp() - interval '8.1 days'", 'expired')
  for (const name of ['idle', 'used'] as const) await psql('update refresh_tokens set created_at = clock_timestamp() - make_interval(secs => $1) where session_id = $2', [clients[name] * 86_400, ids[name]])
  t.strictSame(await purge(1), { ...none, sessions: 3 }, 'in several batches')
  const left = (await psql('select id from sessions where user_id = (select id from users where email = $1)', ['auxiliar@demo.example'])).map(({ id }) => id)
  t.strictSame(left.sort(), [ids['revoked'], ids['used']].sort())
  t.same(await psql('select from refresh_tokens where session_id = any ($1::uuid[])', [[ids['gone'], ids['expired'], ids['idle']]]), [], 'with their tokens')
  t.equal((await director.get('me/')).statusCode, 200)
})

test('a token of a removed session gets the answer of an ended session', async (t) => {
  const [ended, gone] = [await as('coordinador@demo.example'), await as('coordinador@demo.example')]
  await psql('update sessions set revoked_at = clock_timestamp() where id = $1', [sidOf(ended.access)])
  await psql("update sessions set revoked_at = clock_timestamp() - interval '9 days' where id = $1", [sidOf(gone.access)])
  t.strictSame(await purge(), { ...none, sessions: 1 })
  const answers = async (client: typeof ended) => [await client.get('me/'), await client.post('api-token-refresh/', { refresh: client.refresh })].map(({ statusCode, body }) => [statusCode, body])
  t.strictSame(await answers(gone), await answers(ended))
  t.match(await answers(gone), [[401, /token_not_valid/], [401, /token_not_valid/]])
})

test('spent refresh tokens are removed after ten minutes, and the session continues', async (t) => {
  const client = await as('coordinador@demo.example')
  const next = (await client.post('api-token-refresh/', { refresh: client.refresh })).json()
  t.strictSame(await purge(), none, 'within ten minutes the answer is repeated')
  await psql("update refresh_tokens set spent_at = spent_at - interval '601 seconds' where spent_at is not null")
  t.strictSame(await purge(1), { ...none, refresh_tokens: 1 }, 'also while the successor is unused')
  const again = (await client.post('api-token-refresh/', { refresh: client.refresh })).json()
  const idsOf = ({ access, refresh }: Record<string, string>) => [access, refresh].map(token => decode(token).claims['jti'])
  t.strictSame(idsOf(again), idsOf(next), 'which is issued again')
  t.equal((await client.get('me/', { authorization: `Bearer ${next.access}` })).statusCode, 200)
  await psql("update refresh_tokens set spent_at = spent_at - interval '601 seconds' where spent_at is not null")
  t.strictSame(await purge(), { ...none, refresh_tokens: 1 }, 'the repetition has stored it again')
  const { sessions } = await json(['list-sessions', '--user', 'coordinador@demo.example'])
  const shown = sessions.find(({ session }: { session: string }) => session === sidOf(client.access))
  t.ok(shown.refreshed_at > shown.created_at, 'the time of the refresh is kept')
  t.equal((await client.post('api-token-refresh/', { refresh: next.refresh })).statusCode, 200)
  t.equal((await client.post('api-token-refresh/', { refresh: client.refresh })).statusCode, 401, 'a spent token counts as stolen')
  t.equal((await client.get('me/')).statusCode, 401)
})

test('keys are removed after 24 hours, with and without a company', async (t) => {
  await psql(`
    insert into idempotency_keys (user_id, company_id, route, key, reach, digest, status, headers, body, created_at)
    select 3, company, '/', 'k ' || hours, '3:1', '\\x00', 201, '{}', '', clock_timestamp() - hours * interval '1 hour' from unnest(array[1, 2, 3, null]) company, unnest(array[1, 23.9, 24.1, 48]) hours`)
  t.strictSame(await purge(3), { ...none, idempotency_keys: 8 })
  t.same(await psql('select distinct key from idempotency_keys order by 1'), [{ key: 'k 1' }, { key: 'k 23.9' }])
})

test('results of mutations are removed after 100 days, and devices 100 days after their last use', async (t) => {
  const [kept, gone] = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002']
  for (const device of [kept, gone]) {
    t.equal((await director.post('mutations/', { device, mutations: [{ id: 1, op: 'create', resource: 'contrapartes', ref: 'r', body: { nombre: device } }, { id: 2, op: 'delete', resource: 'contracts', record: 999 }] })).statusCode, 200)
  }
  await psql('update mutations set created_at = clock_timestamp() - make_interval(days => case when id = 1 then 99 else 101 end) where device_id = $1', [kept])
  await psql("update mutations set created_at = clock_timestamp() - interval '101 days' where device_id = $1", [gone])
  await psql('update devices set used_at = clock_timestamp() - make_interval(days => case when id = $1 then 101 else 99 end)', [gone])
  t.strictSame(await purge(1), { ...none, mutations: 3, device_refs: 1, devices: 1 })
  t.same(await psql('select d.id, (select count(*)::int from device_refs f where f.device_id = d.id) as refs, (select count(*)::int from mutations m where m.device_id = d.id) as results from devices d'), [{ id: kept, refs: 1, results: 1 }])
  await psql('delete from devices')
})

test('addresses are removed after 100 days', async (t) => {
  await psql("insert into known_addresses (user_id, address, logged_in_on) select 1, 'a' || days, current_date - days from unnest(array[0, 99, 100, 101]) days")
  t.strictSame(await purge(), { ...none, known_addresses: 2 })
  t.same(await psql('select address from known_addresses order by 1'), [{ address: 'a0' }, { address: 'a99' }])
})

test('expired rows are found by index', async (t) => {
  await psql("insert into sessions (id, user_id, expires_at) select gen_random_uuid(), 1, clock_timestamp() + interval '90 days' from generate_series(1, 20000)")
  await psql("insert into refresh_tokens (session_id, hash, spent_at) select id, decode(md5(id::text), 'hex'), case when random() < 0.5 then clock_timestamp() end from sessions")
  await psql('insert into known_addresses (user_id, address) select 1, i::text from generate_series(1, 20000) i')
  await psql('insert into devices (id, user_id, company_id) select gen_random_uuid(), 1, 1 from generate_series(1, 20000)')
  await psql("insert into mutations (device_id, company_id, id, digest, result) select id, 1, 1, '', '' from devices")
  await psql("insert into device_refs (device_id, company_id, ref, resource, record_id) select id, 1, 'r', 'contracts', 1 from devices")
  await psql("insert into webhook_deliveries (company_id, webhook, message, events, intento, duracion_ms, respuesta) select 1, 1, 'msg', 'ping', 1, 5, '' from generate_series(1, 20000)")
  await psql('analyze sessions, refresh_tokens, known_addresses, devices, mutations, device_refs, webhook_deliveries')
  const plans: string[] = []
  const within: typeof database.sql.within = async (companies, mode, statements) => {
    const [, { text, values }] = statements as unknown as [object, { text: string, values: unknown[] }]
    if (!text.includes('idempotency_keys') && !text.includes('purge_changes')) plans.push(JSON.stringify((await database.sql.within(companies, mode, [{ text: `explain ${text}`, values }]))[0]))
    return await database.sql.within(companies, mode, statements)
  }
  await new Purge({ ...database.sql, within }).run({ pause: 0, waitForLock: true })
  t.equal(plans.length, 8)
  for (const [index, name] of ['known_addresses_logged_in_on_index', 'refresh_tokens_spent_at_index', 'sessions_ended_index', 'refresh_tokens_created_at_index', 'mutations_created_at_index', 'devices_used_at_index', 'devices_used_at_index', 'webhook_deliveries_created_at_index'].entries()) {
    t.match(plans[index], name)
    t.notMatch(plans[index], 'Seq Scan')
  }
  await psql('delete from webhook_deliveries')
  await psql('delete from devices')
  await psql('delete from known_addresses')
  await psql('delete from sessions where user_id = 1')
})

test('attempts to deliver are removed after 30 days', async (t) => {
  const { id } = (await director.post('webhooks/', { url: 'https://erp.obra.example/' })).json()
  await psql("insert into webhook_deliveries (company_id, webhook, message, events, intento, duracion_ms, respuesta, created_at) select 1, $1, 'msg', 'ping', 1, 5, '', clock_timestamp() - make_interval(days => n, hours => 1) from unnest(array[29, 30, 60]) n", [id])
  t.strictSame(await purge(), { ...none, webhook_deliveries: 2 })
  t.equal((await director.get(`webhooks/${id}/deliveries/`)).json().count, 1)
})
