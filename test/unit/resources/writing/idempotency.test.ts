import t from 'tap'
import { build } from '../../../support/helper.ts'

t.test('stored answers', async (t) => {
  const { as, psql, database } = await build(t)
  const director = await as('director@demo.example')
  const post = async (folio: string, key: string, client = director) => await client.post('contracts/', { folio }, { 'idempotency-key': key })
  const kept = async () => (await psql('select key from idempotency_keys order by id')).map(({ key }) => key as string)
  const contracts = async (folio: string) => (await psql('select from contracts where folio = $1', [folio])).length
  t.beforeEach(async () => { await psql('delete from idempotency_keys') })

  t.test('stored answers expire after 24 hours', async (t) => {
    const { id } = (await post('HORAS', 'h')).json()
    await psql("update idempotency_keys set created_at = clock_timestamp() - interval '23 hours 59 minutes'")
    const again = await post('HORAS', 'h')
    t.equal(again.json().id, id)
    t.equal((await post('OTRA COSA', 'h')).statusCode, 422)
    await psql("update idempotency_keys set created_at = clock_timestamp() - interval '24 hours 1 second'")
    const late = await post('HORAS', 'h')
    t.equal(late.statusCode, 400, 'a new request')
    t.strictSame(late.json().errors, { folio: ['This field must be unique.'] })
    t.equal((await post('HORAS-2', 'h')).statusCode, 201)
    t.strictSame(await kept(), ['h'], 'under the same key')
    t.equal((await post('HORAS-2', 'h')).headers['idempotency-replayed'], 'true')
  })

  t.test('expired answers stay until the purge, unless replaced', async (t) => {
    await psql(`
      insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body, created_at)
      select 2, 1, '/', 'old ' || i, '\\x00', 201, '{}', '', clock_timestamp() - interval '2 days' from generate_series(1, 3) i`)
    await post('LIMPIA', 'l1')
    t.strictSame(await kept(), ['old 1', 'old 2', 'old 3', 'l1'])
    await psql('delete from idempotency_keys')
  })

  t.test('stored answers are found by index', async (t) => {
    await psql("insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body) select 3, 1, '/api/v1/contracts/', 'k' || i, '\\x00', 201, '{}', '' from generate_series(1, 20000) i")
    await psql('analyze idempotency_keys')
    const plan = async (text: string) => JSON.stringify((await database.sql.within([1], 'read only', [{ text: `explain ${text}`, values: [] }]))[0])
    t.match(await plan("select from idempotency_keys where user_id = 3 and key = 'k7' and route = '/api/v1/contracts/' and company_id = 1 and reach = '3:1'"), /Index (Only )?Scan using idempotency_keys_unique/)
    t.match(await plan("select id from idempotency_keys where company_id = 1 and created_at <= statement_timestamp() - interval '24 hours' order by created_at limit 100"), /Index Scan using idempotency_keys_created_at_index/)
  })

  t.test('if the key cannot be stored, the record is not written', async (t) => {
    const before = await psql('select revision, contracts from company_revisions where company_id = 1')
    await psql("create function refuse_key() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = 'raise_exception'; end $$")
    await psql('create trigger refuse_key before insert on idempotency_keys for each row execute function refuse_key()')
    t.equal((await post('JUNTOS', 'j')).statusCode, 500)
    t.equal((await director.post('contracts/bulk/', { items: [{ folio: 'JUNTOS' }] }, { 'idempotency-key': 'j' })).statusCode, 500)
    await psql('drop function refuse_key() cascade')
    t.equal(await contracts('JUNTOS'), 0)
    t.strictSame(await psql('select revision, contracts from company_revisions where company_id = 1'), before)
    t.equal((await post('JUNTOS', 'j')).statusCode, 201, 'and the key is free')
  })

  t.test('if the record cannot be written, the key is not stored', async (t) => {
    await psql("create function refuse_contract() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = 'raise_exception'; end $$")
    await psql('create trigger refuse_contract before insert on contracts for each row execute function refuse_contract()')
    t.equal((await post('TAMPOCO', 't')).statusCode, 500)
    await psql('drop function refuse_contract() cascade')
    t.strictSame(await kept(), [])
    const made = await post('TAMPOCO', 't')
    t.equal(made.statusCode, 201)
    t.equal(made.headers['idempotency-replayed'], undefined)
  })

  t.test('the policy hides stored answers from other companies, and the service cannot change them', async (t) => {
    await post('OCULTO', 'o')
    const within = async (company: number, text: string) => (await database.sql.within([company], 'read write', [{ text, values: [] }]))[0]
    const see = 'select key from idempotency_keys'
    t.same(await within(1, see), [{ key: 'o' }])
    t.same(await within(3, see), [])
    t.same(await database.sql.query({ text: see, values: [] }), [])
    t.same(await within(3, 'delete from idempotency_keys returning key'), [])
    await t.rejects(within(3, "insert into idempotency_keys (user_id, company_id, route, key, digest, status, headers, body) values (1, 1, '/', 'x', '', 201, '{}', '')"), { code: '42501' })
    await t.rejects(within(1, "update idempotency_keys set body = ''"), { code: '42501' })
  })

  t.test('stored answers are deleted with their user and company', async (t) => {
    await post('FIN', 'f')
    const [{ rules }] = await psql("select array_agg(confdeltype::text order by conname) as rules from pg_constraint where conrelid = 'idempotency_keys'::regclass and contype = 'f'") as [{ rules: string[] }]
    t.strictSame(rules, ['c', 'c'])
  })
})
