import t from 'tap'
import { build } from '../../../support/helper.ts'

const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
await psql('create table noted (operation text, record bigint, caller int, before int, transaction xid8 default pg_current_xact_id())')
await psql('grant all on noted to public')
await psql(`create function note() returns trigger language plpgsql as $$ begin
  insert into noted values (lower(tg_op), coalesce(new.id, old.id), caller_of(tg_table_name, coalesce(new.id, old.id)));
  return null; end $$`)
await psql('create trigger note after insert or update or delete on contracts for each row execute function note()')

const emails = ['director@demo.example', 'coordinador@demo.example', 'corporativo@demo.example']
await psql("update users set company_id = 1 where email = 'corporativo@demo.example'")
const clients = await Promise.all(emails.map(async email => await as(email)))
const users = await Promise.all(emails.map(async email => (await psql('select id from users where email = $1', [email]))[0]?.['id'] as number))
const [director] = clients as [typeof clients[number]]

const noted = async (operation: string) => {
  const rows = await psql('select record, caller, transaction::text from noted where operation = $1 order by record', [operation])
  await psql('delete from noted where operation = $1', [operation])
  return rows
}
const isMixed = (rows: Array<Record<string, unknown>>) => [...Map.groupBy(rows, ({ transaction }) => transaction).values()].some(some => new Set(some.map(({ caller }) => caller)).size > 1)

t.test('the caller of each row is known to triggers in a turn of several callers', async (t) => {
  const made = await Promise.all(Array.from({ length: 30 }, async (_, index) => {
    const response = await clients[index % 3].post('contracts/', { folio: `CALL-${index}` })
    return { id: response.json().id as number, caller: users[index % 3] }
  }))
  const expected = (all: typeof made) => all.map(({ id: record, caller }) => ({ record, caller })).sort((a, b) => a.record - b.record)
  const inserts = await noted('insert')
  t.match(inserts, expected(made))
  t.ok(isMixed(inserts), 'some statements have several callers')

  const changed = await Promise.all(made.map(async ({ id }, index) => {
    t.equal((await clients[(index + 1) % 3].send('PATCH', `contracts/${id}/`, { descripcion: 'b' })).statusCode, 200)
    return { id, caller: users[(index + 1) % 3] }
  }))
  const updates = await noted('update')
  t.match(updates, expected(changed))
  t.ok(isMixed(updates))

  const removing = made.filter((_, index) => index % 3 !== 0)
  const removed = await Promise.all(removing.map(async ({ id }, index) => {
    const by = index % 2 === 0 ? 0 : 2
    t.equal((await clients[by].send('DELETE', `contracts/${id}/`)).statusCode, 204)
    return { id, caller: users[by] }
  }))
  const deletes = await noted('delete')
  t.match(deletes, expected(removed))
  t.ok(isMixed(deletes))
})

t.test('the caller of bulks, creates with a key and mutations is known', async (t) => {
  const coordinator = clients[1]
  await coordinator.post('contracts/bulk/', { items: [{ folio: 'UNIT-1', external_id: 'u1' }, { folio: 'UNIT-2' }] })
  await coordinator.post('contracts/bulk/', { partial: true, upsert: 'external_id', items: [{ folio: 'UNIT-1', external_id: 'u1', descripcion: 'x' }, { external_id: 'u3' }] })
  await director.post('contracts/', { folio: 'UNIT-3' }, { 'idempotency-key': 'caller' })
  const [{ id }] = await psql("select id from contracts where folio = 'UNIT-2'") as [{ id: number }]
  const mutations = [{ id: 1, op: 'create', resource: 'contracts', body: { folio: 'UNIT-4' } }, { id: 2, op: 'delete', resource: 'contracts', record: id }]
  const { results } = (await director.post('mutations/', { device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11', mutations })).json()
  t.match(results, [{ status: 201 }, { status: 204 }])
  t.match((await noted('insert')).map(({ caller }) => caller), [users[1], users[1], users[0], users[0]])
  t.match(await noted('update'), [{ caller: users[1] }])
  t.match(await noted('delete'), [{ record: id, caller: users[0] }])
})

t.test('changes by psql have no caller, also on a connection of the service', async (t) => {
  await psql("update contracts set descripcion = 'psql' where folio = 'UNIT-1'")
  t.match(await noted('update'), [{ caller: null }])
})

t.test('a trigger passes the caller on to another record that it changes', async (t) => {
  await psql(`create function pass_on() returns trigger language plpgsql as $$ begin
    perform note_caller('contracts', new.contract_id, caller_of('estimates', new.id));
    update contracts set notado = 'x' where id = new.contract_id;
    return null; end $$`)
  await psql('alter table contracts add notado text')
  await psql('create trigger pass_on after insert on estimates for each row execute function pass_on()')
  const made = await Promise.all(Array.from({ length: 9 }, async (_, index) => {
    const contract = (await director.post('contracts/', { folio: `PASS-${index}` })).json().id
    return { contract, by: index % 3 }
  }))
  await noted('update')
  await Promise.all(made.map(async ({ contract, by }) => t.equal((await clients[by].post('estimates/', { contract, monto: '0' })).statusCode, 201)))
  t.match(await noted('update'), made.map(({ contract, by }) => ({ record: contract, caller: users[by] })).sort((a, b) => a.record - b.record))
})
