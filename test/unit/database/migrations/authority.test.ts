import t from 'tap'
import { build } from '../../../support/helper.ts'

t.test('authority revisions', async (t) => {
  const { as, app, psql } = await build(t)
  const [{ id: user, company }] = await psql("select id, company_id as company from users where email = 'director@demo.example'") as [{ id: number, company: number }]
  const read = async () => new Map((await psql('select bucket, revision from authority_revisions')).map(({ bucket, revision }) => [bucket as number, revision as number]))
  await psql('create table raises (bucket int)')
  await psql('create function note_raise() returns trigger language plpgsql security definer as $$ begin insert into public.raises values (new.bucket); return null; end $$')
  await psql('create trigger note_raise after insert or update on authority_revisions for each row execute function note_raise()')

  /** The buckets that a change raises, and how often. */
  async function raised (change: () => Promise<unknown>): Promise<Array<[bucket: number, times: number]>> {
    const before = await read()
    await psql('delete from raises')
    await change()
    const after = await read()
    const rows = await psql('select bucket, count(*)::int as times from raises group by bucket')
    for (const { bucket } of rows) t.ok((after.get(bucket) as number) > (before.get(bucket) ?? 0))
    return rows.map(({ bucket, times }) => [bucket, times])
  }
  const own = [[user % 256, 1]]

  await t.test('rise once per transaction, in the bucket of the user', async (t) => {
    t.same(await raised(async () => await psql('update users set nivel_acceso = 4 where id = $1', [user])), own)
    t.same(await raised(async () => await psql('update users set nivel_acceso = null where id = $1', [user])), own)
    t.same(await raised(async () => await psql('update users set activo = false, company_id = null where id = $1', [user])), own, 'even if sessions end with it')
    t.same(await raised(async () => await psql('update users set activo = true, company_id = $2 where id = $1', [user, company])), own)
    await psql("insert into sessions (id, user_id, expires_at) select gen_random_uuid(), $1, now() + interval '1 day' from generate_series(1, 50)", [user])
    t.same(await raised(async () => await psql('update sessions set revoked_at = now() where user_id = $1 and revoked_at is null', [user])), own)
  })

  await t.test('of both users rise if a membership changes its user', async (t) => {
    const [{ id: other }] = await psql("insert into users (email, password, customer_id) select 'nuevo@x.example', 'none', customer_id from users where id = $1 returning id", [user]) as [{ id: number }]
    const [{ id }] = await psql('select id from memberships where user_id = $1 limit 1', [user]) as [{ id: number }]
    t.same((await raised(async () => await psql('update memberships set user_id = $2 where id = $1', [id, other]))).sort(), [[user % 256, 1], [other % 256, 1]].sort())
    t.same((await raised(async () => await psql('update memberships set user_id = $2 where id = $1', [id, user]))).sort(), [[user % 256, 1], [other % 256, 1]].sort())
  })

  await t.test('all rise if a company moves, and after truncate', async (t) => {
    const [{ id: empty, customer }] = await psql("insert into companies (nombre, customer_id) select 'Vacía', min(id) from customers returning id, customer_id as customer") as [{ id: number, customer: number }]
    t.equal((await raised(async () => await psql('update companies set customer_id = (select max(id) from customers) where id = $1 and customer_id = $2', [empty, customer]))).length, 256)
    t.same(await raised(async () => await psql("update companies set nombre = 'Otra' where id = $1", [empty])), [])
    t.equal((await raised(async () => await psql('truncate sessions cascade'))).length, 256)
  })

  await t.test('a new time zone raises the buckets of the users of its company', async (t) => {
    const users = await psql('select distinct id % 256 as bucket from users where company_id = $1', [company])
    t.ok(users.length > 0 && users.length < 256)
    for (const zone of ['America/Tijuana', 'America/Cancun']) {
      const rows = await raised(async () => await psql('update companies set zona_horaria = $2 where id = $1', [company, zone]))
      t.strictSame(rows.sort((a, b) => a[0] - b[0]), users.map(({ bucket }) => [bucket, 1] as [number, number]).sort((a, b) => a[0] - b[0]), zone)
    }
    t.same(await raised(async () => await psql("update companies set zona_horaria = 'America/Cancun' where id = $1", [company])), [], 'the same zone')
  })

  await t.test('do not rise at log-ins, refreshes, changes of names and deletes of ended sessions', async (t) => {
    let client = await as('director@demo.example')
    t.same(await raised(async () => { client = await as('director@demo.example') }), [])
    t.same(await raised(async () => {
      const { access, refresh } = client
      t.equal((await app.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', payload: { refresh }, headers: { authorization: `Bearer ${access}` } })).statusCode, 200)
    }), [])
    t.same(await raised(async () => await psql("update users set nombre = 'Otra', password = password where id = $1", [user])), [])
    await psql("insert into sessions (id, user_id, expires_at, revoked_at) values (gen_random_uuid(), $1, now() - interval '1 day', null), (gen_random_uuid(), $1, now() + interval '1 day', now())", [user])
    t.same(await raised(async () => await psql('delete from sessions where revoked_at is not null or expires_at < now()')), [])
  })
})
