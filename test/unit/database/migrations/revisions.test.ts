import t from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { None } from '../../../support/none.ts'

t.test('the revision of a company', async (t) => {
  const { psql } = await openTestDatabase(t)
  const [norte, sur, otra] = (await psql('select id from companies order by id')).map(({ id }) => id as number) as [number, number, number]
  const revisions = async () => (await psql('select revision from company_revisions order by company_id')).map(({ revision }) => revision as number)
  const changes = async (after: number[]) => await psql(`
    select company_id as company, revision, resource, record_id as id, operation from changes
    where (company_id = $1 and revision > $4) or (company_id = $2 and revision > $5) or (company_id = $3 and revision > $6)
    order by company_id, revision, resource, record_id`, [norte, sur, otra, ...after])

  /** Runs a statement. @returns the increase of each company's revision, the returned rows, and the new entries of the change log */
  async function run (text: string, values: unknown[] = []) {
    const before = await revisions()
    const rows = await psql(text, values)
    const raised = (await revisions()).map((revision, index) => revision - before[index])
    const logged = (await changes(before)).map(({ revision, ...change }) => change)
    return { rows, raised, logged }
  }
  const entries = (company: number, resource: string, operation: string, ids: Row[]) => ids.map(({ id }) => ({ company, resource, id, operation })).sort((a, b) => a.id - b.id)

  await t.test('rises by one per statement, however many rows it writes', async (t) => {
    const inserted = await run("insert into contracts (company_id, folio) select $1, 'R-' || n from generate_series(1, 50) n returning id", [sur])
    t.same(inserted.raised, [0, 1, 0])
    t.same(inserted.logged, entries(sur, 'contracts', 'insert', inserted.rows))

    const updated = await run('update contracts set monto = id where company_id = $1 returning id', [sur])
    t.same(updated.raised, [0, 1, 0])
    t.same(updated.logged, entries(sur, 'contracts', 'update', updated.rows))

    const removed = await run('delete from contracts where company_id = $1 returning id', [sur])
    t.same(removed.raised, [0, 1, 0])
    t.same(removed.logged, entries(sur, 'contracts', 'delete', removed.rows))
    t.equal(removed.rows.length, 50)
  })

  await t.test('has a stamp: the time at which it rose, which its entries in the log have too', async (t) => {
    const now = async () => (await psql('select stamp_of(clock_timestamp()) as now'))[0]?.['now'] as number
    const before = await now()
    for (const statement of ["insert into contracts (company_id, folio) select $1, 'SELLO-' || n from generate_series(1, 3) n", "update contracts set monto = 1 where company_id = $1 and folio like 'SELLO%'", "delete from contracts where company_id = $1 and folio like 'SELLO%'"]) {
      await psql(statement, [sur])
      const [{ revision, stamp }] = await psql('select revision, stamp from company_revisions where company_id = $1', [sur]) as [{ revision: number, stamp: number }]
      t.ok(stamp >= before && stamp <= await now())
      t.same(await psql('select distinct stamp_of(changed_at) as stamp, changed_at = stamp_time($3) as same from changes where company_id = $1 and revision = $2', [sur, revision, stamp]), [{ stamp, same: true }])
    }
  })

  await t.test('rises by one in each company that a statement writes to, and in no other', async (t) => {
    const inserted = await run("insert into contrapartes (company_id, nombre) select c, 'P-' || n from unnest($1::int[]) c, generate_series(1, 3) n returning id, company_id", [[otra, norte]])
    t.same(inserted.raised, [1, 0, 1])
    t.same(inserted.logged, [norte, otra].flatMap(company => entries(company, 'contrapartes', 'insert', inserted.rows.filter(row => row['company_id'] === company))))
    t.same((await run("update contrapartes set nombre = nombre || '.' where nombre ~ '^P-' and company_id = $1", [otra])).raised, [0, 0, 1])
    t.same((await run("delete from contrapartes where nombre ~ '^P-'")).raised, [1, 0, 1])
  })

  await t.test('rises for each kind of write in one statement', async (t) => {
    const { raised, logged } = await run(`
      with party as (insert into contrapartes (company_id, nombre) values ($1, 'Q') returning id),
      made as (insert into contracts (company_id, folio) values ($1, 'Q-1') returning id)
      update contracts set monto = 5 where company_id = $1 and folio = 'ON-2026-002'`, [norte])
    t.same(raised, [3, 0, 0])
    t.same(logged.map(({ resource, operation }) => `${resource} ${operation}`).sort(), ['contracts insert', 'contracts update', 'contrapartes insert'])
  })

  await t.test('distinguishes updated rows of an upsert from inserted ones', async (t) => {
    const { logged } = await run("insert into contracts (company_id, folio) values ($1, 'Q-1'), ($1, 'Q-2') on conflict (company_id, folio) do update set monto = 9", [norte])
    t.same(logged.map(({ operation }) => operation).sort(), ['insert', 'update'])
  })

  await t.test('does not change if no row is written or the write is rolled back', async (t) => {
    const nothing = { raised: [0, 0, 0], logged: None }
    t.match(await run('update contracts set monto = 1 where false'), nothing)
    t.match(await run('delete from contracts where company_id = 0'), nothing)
    t.match(await run("insert into contracts (company_id, folio) values ($1, 'Q-1') on conflict do nothing", [norte]), nothing)
    t.match(await run("do $$ begin update contracts set folio = folio || '.'; raise exception 'no'; exception when raise_exception then null; end $$"), nothing)
    const before = await revisions()
    await t.rejects(psql("insert into contracts (company_id, folio) values ($1, 'Q-3'), ($1, 'Q-1')", [norte]), { code: '23505' })
    await t.rejects(psql('with gone as (delete from contracts) select 1 / 0'), { code: '22012' })
    t.same(await revisions(), before)
    t.same(await changes(before), [])
  })

  await t.test('rises for a new name of the company, without an entry in the log', async (t) => {
    const renamed = await run("update companies set nombre = nombre || '.' where id = any ($1)", [[otra, norte]])
    t.same(renamed, { rows: [], raised: [1, 0, 1], logged: [] })
    t.same(await psql(`
      select r.company_id as company, p.has_deletes from company_revisions r join purged_revisions p using (company_id, revision, stamp)
      order by 1`), [norte, otra].sort((a, b) => a - b).map(company => ({ company, has_deletes: false })), 'the revision is known by its stamp')
    t.match(await run('update companies set nombre = nombre, version = version'), { raised: [0, 0, 0] }, 'the same name')
    t.equal((await psql("select current_setting('app.companies', true) as admitted"))[0]?.['admitted'] || '', '', 'the transaction admits no more companies than before')
  })

  await t.test('starts at zero with its counters for a new company, and is deleted with it', async (t) => {
    const [{ id }] = await psql("insert into companies (nombre, customer_id) select 'Nueva', id from customers limit 1 returning id") as [{ id: number }]
    t.same(await psql('select revision, contracts, contrapartes from company_revisions where company_id = $1', [id]), [{ revision: 0, contracts: 0, contrapartes: 0 }])
    await psql('delete from companies where id = $1', [id])
    t.same(await psql('select from company_revisions where company_id = $1', [id]), [])
  })
})
