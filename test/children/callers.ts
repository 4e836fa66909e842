import t from 'tap'
import { buildChildren } from './server.ts'

t.test('the caller of changes that a write of another record causes', async (t) => {
  const { as, psql } = await buildChildren(t)
  const emails = ['director@demo.example', 'superusuario@demo.example', 'corporativo@demo.example']
  await psql('update users set company_id = 1 where email = any ($1)', [`{${emails.join()}}`])
  const clients = await Promise.all(emails.map(async email => await as(email)))
  const users = await Promise.all(emails.map(async email => (await psql('select id from users where email = $1', [email]))[0]?.['id'] as number))
  await psql('create table noted (relation text, operation text, record bigint, caller int, parent bigint, transaction xid8 default pg_current_xact_id())')
  await psql('grant all on noted to public')
  await psql(`create function note() returns trigger language plpgsql as $$ declare r jsonb := to_jsonb(coalesce(new, old)); begin
    insert into noted values (tg_table_name, lower(tg_op), (r ->> 'id')::bigint, caller_of(tg_table_name, (r ->> 'id')::bigint), (r ->> 'edificio_id')::bigint);
    return null; end $$`)
  for (const table of ['edificios', 'renglones']) await psql(`create trigger note after update or delete on ${table} for each row execute function note()`)

  const works = async (length = 12) => await Promise.all(Array.from({ length }, async (_, index) => {
    const { id } = (await clients[0].post('edificios/', { contract: 1, nombre: `N-${index}` })).json()
    return { id: id as number, by: index % 3 }
  }))
  const client = (by: number) => clients[by]
  const noted = async (relation: string, operation: string) => {
    const rows = await psql('select record, caller, parent, transaction::text from noted where relation = $1 and operation = $2 order by record', [relation, operation])
    await psql('delete from noted')
    return rows
  }
  const isMixed = (rows: Array<Record<string, unknown>>) => [...Map.groupBy(rows, ({ transaction }) => transaction).values()].some(some => new Set(some.map(({ caller }) => caller)).size > 1)
  const expected = (all: Array<{ id: number, by: number }>) => all.map(({ id: record, by }) => ({ record, caller: users[by] })).sort((a, b) => a.record - b.record)
  const line = (edificio: number, clave: string) => ({ edificio, clave, cantidad: '1', precio_unitario: '1' })

  await t.test('a sum and an effect have the caller of the record that changes them', async (t) => {
    const made = await works()
    const posted = await Promise.all(made.map(async ({ id, by }) => await client(by).post('renglones/', line(id, 'A'))))
    const sums = await noted('edificios', 'update')
    t.match(sums, expected(made))
    t.ok(isMixed(sums), 'some turns have several callers')

    const others = made.map(({ id, by }) => ({ id, by: (by + 1) % 3 }))
    await Promise.all(others.map(async ({ by }, index) => t.equal((await client(by).send('PATCH', `renglones/${posted[index]?.json().id}/`, { cantidad: '2' })).statusCode, 200)))
    const changed = await noted('edificios', 'update')
    t.match(changed, expected(others))
    t.ok(isMixed(changed))

    for (const { id } of made) await client(0).send('PATCH', `edificios/${id}/`, { estado: 'cerrada' })
    await noted('edificios', 'update')
    await Promise.all(made.map(async ({ id, by }) => t.equal((await client(by).post('abonos/', { edificio: id, importe: '2' })).statusCode, 201)))
    const paid = await noted('edificios', 'update')
    t.match(paid, expected(made.flatMap(one => [one, one])), 'the sum of the payments, then the state')
    t.ok(isMixed(paid))
  })

  await t.test('an effect on a reference that some records do not have', async (t) => {
    const [one] = await works(1)
    const { id: renglon } = (await client(0).post('renglones/', line(one?.id, 'N'))).json()
    await psql('create trigger note after update on contrapartes for each row execute function note()')
    await noted('edificios', 'update')
    const made = await Promise.all(Array.from({ length: 12 }, async (_, index) => await client(index % 3).post('lecturas/', { renglon, ...index < 6 && { contraparte: index + 1 } })))
    t.strictSame(made.map(({ statusCode }) => statusCode), Array(12).fill(201))
    const rows = await psql("select record, caller, transaction::text from noted where relation = 'contrapartes' order by record")
    t.match(rows, Array.from({ length: 6 }, (_, index) => ({ record: index + 1, caller: users[index % 3] })))
    t.ok(isMixed(rows), 'a turn with several callers')
    await psql('delete from noted')
  })

  await t.test('of several callers, a sum has the one of the newest record', async (t) => {
    const [one] = await works(1)
    const id = one?.id
    const posted = await Promise.all(users.map(async (_, by) => await client(by).post('renglones/', line(id, `B${by}`))))
    const lines = posted.map((response, by) => ({ id: response.json().id as number, by }))
    const sums = await noted('edificios', 'update')
    const newest = lines.toSorted((a, b) => a.id - b.id).at(-1)
    t.equal(sums.at(-1)?.['caller'], users[newest?.by as number])
  })

  await t.test('a record that a foreign key deletes has the caller of the deleted parent', async (t) => {
    const made = await works()
    await Promise.all(made.flatMap(({ id }) => ['A', 'B'].map(async clave => await client(0).post('renglones/', line(id, clave)))))
    await noted('edificios', 'update')
    await Promise.all(made.map(async ({ id, by }) => t.equal((await client(by).send('DELETE', `edificios/${id}/`)).statusCode, 204)))
    const rows = await psql("select relation, record, coalesce(parent, record) as work, caller, transaction::text from noted where operation = 'delete'")
    t.equal(rows.length, 36)
    for (const { id, by } of made) t.strictSame(rows.filter(({ work }) => work === id).map(({ caller }) => caller), Array(3).fill(users[by]))
    t.ok(isMixed(rows))
    await psql('delete from noted')
  })

  await t.test('changes by psql have no caller', async (t) => {
    const [one] = await works(1)
    const id = one?.id
    await psql("insert into renglones (company_id, edificio_id, clave, cantidad, precio_unitario) values (1, $1, 'psql', 1, 1)", [id])
    t.match(await noted('edificios', 'update'), [{ record: id, caller: null }])
    await psql('delete from edificios where id = $1', [id])
    t.match(await noted('renglones', 'delete'), [{ parent: id, caller: null }])
  })
})
