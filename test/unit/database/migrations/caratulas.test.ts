import t from 'tap'
import { migrate } from '../../../../src/server/migrate.ts'
import { openReleased } from '../../../support/released.ts'

t.test('the migration of cover sheets takes the time of an authorization from the history, and changes no estimate', async (t) => {
  const { orm } = await openReleased(t)
  const run = async (text: string, values: unknown[] = []) => await orm.em.execute(text, values)

  await run("insert into customers (nombre) values ('C')")
  await run("insert into companies (nombre, customer_id) select 'Sheets ' || n, id from customers, generate_series(1, 2) n where nombre = 'C'")
  // The release has records of its own, which the superuser sees too.
  const own = "company_id in (select id from companies where nombre like 'Sheets %')"
  const admit = async () => await run("select set_config('app.companies', (select array_agg(id)::text from companies where nombre like 'Sheets %'), false)")
  await admit()
  await run("insert into contracts (company_id, folio, monto) select id, 'A', 10000 from companies where nombre like 'Sheets %'")
  const states: Record<string, string[]> = {
    authorized: ['enviada', 'autorizada'],
    paid: ['enviada', 'autorizada', 'pagada'],
    again: ['enviada', 'autorizada', 'enviada', 'autorizada'],
    undone: ['enviada', 'autorizada', 'enviada'],
    purged: ['enviada', 'autorizada'],
    draft: [],
    cancelled: ['cancelada']
  }
  for (const [name, following] of Object.entries(states)) {
    await run(`insert into estimates (company_id, contract_id, monto, descripcion) select company_id, id, 100, ? from contracts where ${own}`, [name])
    for (const estado of following) await run(`update estimates set estado = ? where descripcion = ? and ${own}`, [estado, name])
  }
  await run(`insert into estimates (company_id, contract_id, monto, descripcion, estado) select company_id, id, 100, 'made', 'autorizada' from contracts where ${own}`)
  await run(`update estimates set descripcion = descripcion || '.' where ${own}`)
  await run("delete from history h using estimates e where h.resource = 'estimates' and h.record_id = e.id and e.descripcion = 'purged.'")
  // Days apart, so that each time belongs to one change.
  await run("update history set at = timestamptz '2026-01-01' + id * interval '1 day'")
  const times = await run(`
    select e.id, e.descripcion, max(h.at)::text as time from estimates e
    left join history h on h.resource = 'estimates' and h.record_id = e.id and (
      h.operation = 'insert' and h.fields ->> 'estado' = 'autorizada' or h.operation = 'update' and h.fields -> 'estado' ->> 1 = 'autorizada')
    where e.${own}
    group by 1, 2 order by 1`)
  const isKnown = ['authorized.', 'paid.', 'again.', 'made.']
  t.same(times.map(({ time }) => time !== null), times.map(({ descripcion }) => isKnown.includes(descripcion) || descripcion === 'undone.'))
  const records = `select id, version, updated_at, estado, neto, pagado from estimates where ${own} order by id`
  const revisions = `select max(revision) as revision from company_revisions where ${own}`
  const [unchanged, revision, past] = [await run(records), await run(revisions), await run(`select * from history where ${own} order by id`)]

  await migrate(orm)
  await admit()
  t.same(await run(`select id, descripcion, autorizada_en::text as time from estimates where ${own} order by id`),
    times.map(row => ({ ...row, time: isKnown.includes(row.descripcion) ? row.time : null })), 'the last authorization, in both companies')
  t.same(await run(records), unchanged)
  t.same(await run(revisions), revision)
  t.same(await run(`select * from history where ${own} order by id`), past)
  t.same(await run('select * from caratulas'), [], 'their state on that day is not known')

  await run("update estimates set descripcion = 'changed' where descripcion = 'authorized.'")
  t.same((await run("select autorizada_en::text as time from estimates where descripcion = 'changed' order by id")).map(({ time }) => time),
    times.flatMap(({ descripcion, time }) => descripcion === 'authorized.' ? [time] : []), 'no later change moves it')
  await run("update estimates set estado = 'autorizada' where descripcion = 'undone.'")
  t.same(await run(`
    select k.figures -> 'importes' -> 'monto' as monto, e.autorizada_en > now() - interval '1 hour' as late from caratulas k join estimates e on e.id = k.estimate_id`),
  Array(2).fill({ monto: { anterior: '300.00', periodo: '100.00', acumulado: '400.00' }, late: true }), 'the next sheet counts those with lower numbers')
})
