import t from 'tap'
import { Purge } from '../../../../src/jobs/purging/purge.ts'
import { build } from '../../../support/helper.ts'
import { withoutBatchTimeout } from '../../../support/purging.ts'

const { as, psql, database } = await build(t, { RATE_LIMIT: 'off' })
const sql = withoutBatchTimeout(database.sql)
const director = await as('director@demo.example')
const none = { known_addresses: 0, refresh_tokens: 0, sessions: 0, idempotency_keys: 0, mutations: 0, device_refs: 0, devices: 0, webhook_deliveries: 0, changes: 0 }
const purge = async (most?: number) => await new Purge(sql, most).run({ pause: 0, waitForLock: true })

// The demo has superseded entries.
await psql("update changes set changed_at = clock_timestamp() - interval '8 days'")
await purge()

t.test('the change log keeps each record\'s last entry, deletes for 100 days, others for 7', async (t) => {
  const log = async () => (await psql("select record_id as id, operation from changes where resource = 'contrapartes' and record_id = any ($1) order by company_id, revision", [ids])).map(({ id, operation }) => `${names.get(id)} ${operation}`)
  const age = async (days: number) => await psql('update changes set changed_at = clock_timestamp() - make_interval(secs => $1)', [days * 86_400])
  const names = new Map<number, string>()
  for (const name of ['kept', 'changed', 'deleted']) names.set((await director.post('contrapartes/', { nombre: name })).json().id, name)
  const ids = [...names.keys()] as [number, number, number]
  for (const nombre of ['changed 1', 'changed 2']) await director.send('PATCH', `contrapartes/${ids[1]}/`, { nombre })
  await director.send('PATCH', `contrapartes/${ids[2]}/`, { nombre: 'deleted 1' })
  await director.send('DELETE', `contrapartes/${ids[2]}/`)
  const all = ['kept insert', 'changed insert', 'deleted insert', 'changed update', 'changed update', 'deleted update', 'deleted delete']
  const revision = async () => await psql('select * from company_revisions order by 1')
  const before = await revision()

  await age(6.9)
  t.strictSame(await purge(), none)
  t.strictSame(await log(), all)
  await age(7.1)
  t.strictSame(await purge(2), { ...none, changes: 4 })
  t.strictSame(await log(), ['kept insert', 'changed update', 'deleted delete'])
  await age(99.9)
  t.strictSame(await purge(), none)
  await age(100.1)
  t.strictSame(await purge(1), { ...none, changes: 1 })
  t.strictSame(await log(), ['kept insert', 'changed update'])
  await age(10_000)
  t.strictSame(await purge(), none, 'of any age')
  t.same(await revision(), before, 'revisions and counters do not change')

  await director.send('PATCH', `contrapartes/${ids[0]}/`, { nombre: 'kept 1' })
  t.strictSame(await purge(), none, 'an old entry, superseded just now')
  await age(7.1)
  t.strictSame(await purge(), { ...none, changes: 1 })
  t.strictSame(await log(), ['changed update', 'kept update'])
})

t.test('of purged entries, revision and stamp are kept for 100 days, of the last purged delete for good', async (t) => {
  const [{ company }] = await psql("select company_id as company from users where email = 'director@demo.example'") as [{ company: number }]
  const [{ id }, { id: gone }] = [(await director.post('contrapartes/', { nombre: 'sellada' })).json(), (await director.post('contrapartes/', { nombre: 'borrada' })).json()]
  await director.send('PATCH', `contrapartes/${id}/`, { nombre: 'sellada 1' })
  await director.send('DELETE', `contrapartes/${gone}/`)
  await psql('delete from purged_revisions')
  await psql("update changes set changed_at = changed_at - interval '101 days'")
  const [inserted, created, , deleted] = await psql('select revision, stamp_of(changed_at) as stamp from changes where resource = \'contrapartes\' and record_id = any ($1) order by revision', [[id, gone]])
  await purge(1)
  const kept = async () => await psql('select revision, stamp, has_deletes from purged_revisions where company_id = $1 and revision >= $2 order by 1', [company, inserted?.['revision']])
  const expected = [{ ...inserted, has_deletes: false }, { ...created, has_deletes: false }, { ...deleted, has_deletes: true }]
  t.strictSame(await kept(), expected)
  await psql("update purged_revisions set purged_at = clock_timestamp() - interval '99.9 days'")
  await purge()
  t.strictSame(await kept(), expected)
  await psql("update purged_revisions set purged_at = clock_timestamp() - interval '100.1 days'")
  for (let times = 0; times < 3; times++) await new Purge(sql, 500).run({ pause: 0, waitForLock: true })
  t.strictSame(await kept(), [expected[2]])
})

t.test('a log without writes is examined when an entry expires, one with writes once a day', async (t) => {
  let walks = 0
  const within: typeof database.sql.within = async (companies, mode, statements) => {
    walks += statements.filter(({ text }) => text.includes('purge_changes')).length
    return await sql.within(companies, mode, statements)
  }
  await psql("update changes set changed_at = clock_timestamp() - interval '30 days'")
  const one = new Purge({ ...sql, within })
  const again = async () => {
    walks = 0
    await one.run({ pause: 0, waitForLock: true })
    return walks
  }
  t.equal(await again(), 3, 'each company is examined once')
  t.equal(await again(), 0)
  await director.post('contrapartes/', { nombre: 'una más' })
  t.equal(await again(), 0, 'not yet')
})

t.test('the function that purges the log deletes only expired entries, with any parameters', async (t) => {
  await psql("update changes set changed_at = clock_timestamp() - interval '6 days'")
  const ask = async (text: string) => await database.sql.query({ text, values: [] })
  const count = async () => (await psql('select count(*)::int as n from changes'))[0]?.['n']
  const before = await count()
  for (const args of ["1, -1, '', 0, 1000000000", "1, -9223372036854775808, '', -9223372036854775808, 2147483647", "null, -1, '', 0, 10", "1, -1, '', 0, null", '0, -1, null, 0, 10', "1, -1, '', 0, 0"]) {
    await ask(`select * from purge_changes(${args})`).catch(({ code }: { code: string }) => t.match(code, /^2/, args))
  }
  t.equal(await count(), before)
  t.same(await database.sql.within([], 'read write', [{ text: "select removed from purge_changes(1, -1, '', 0, 1000)", values: [] }, { text: 'select count(*)::int as n from changes', values: [] }]), [[{ removed: 0 }], [{ n: 0 }]],
    'the admitted companies of the transaction do not change')
  t.same((await database.sql.within([2], 'read write', [{ text: "select removed from purge_changes(1, -1, '', 0, 1000)", values: [] }, { text: "select current_setting('app.companies') as companies", values: [] }]))[1], [{ companies: '{2}' }])
  for (const text of ['delete from changes', "update changes set changed_at = '2020-01-01'", "create or replace function purge_changes(int, bigint, text, bigint, int) returns void language sql as ''"]) await t.rejects(ask(text), { code: /^(42501|42P13)$/ }, text)
  t.same(await psql("select has_function_privilege('public', 'purge_changes(int, bigint, text, bigint, int)', 'execute') as everybody"), [{ everybody: false }])
})
