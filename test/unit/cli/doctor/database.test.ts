import t, { type Test } from 'tap'
import { examineDatabase, judgeClock, judgeMigrations, judgeVersion } from '../../../../src/cli/doctor/database.ts'
import type { Finding } from '../../../../src/cli/doctor/finding.ts'
import { judgeUsage } from '../../../../src/cli/doctor/sequences.ts'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { server } from '../../../support/template.ts'
import { forgetStatistics } from '../../../support/visited.ts'

const admitted = "(company_id = any ((select nullif(current_setting('app.companies', true), '')::int[])::int[])) is true"

/** Faults of a database: the check that finds it, its cause, its repair if it cannot be rolled back, and the expected message. */
const broken: Array<[check: string, harm: string, repair: string, message: RegExp]> = [
  ['role', 'alter role obra_app superuser', 'alter role obra_app nosuperuser', /`alter role obra_app nosuperuser`/],
  ['role', 'alter role obra_app bypassrls', 'alter role obra_app nobypassrls', /`alter role obra_app nobypassrls`/],
  ['role', 'alter role obra_app createrole', 'alter role obra_app nocreaterole', /`alter role obra_app nocreaterole`/],
  ['role', 'alter role obra_app login', 'alter role obra_app nologin', /`alter role obra_app nologin`/],
  ['role', 'grant obra_search to obra_app', 'revoke obra_search from obra_app', /member of obra_search: run `revoke obra_search from obra_app`/],
  ['role', 'alter table contracts owner to obra_app', 'do $$ begin alter table contracts owner to postgres; grant select, insert, update, delete on contracts to obra_app; end $$', /owns .*\bcontracts\b/],
  ['policies', 'alter table contracts disable row level security', 'alter table contracts enable row level security', /`alter table contracts enable row level security`/],
  ['policies', 'alter table changes no force row level security', 'alter table changes force row level security', /`alter table changes force row level security`/],
  ['policies', 'alter policy company_admitted on estimates rename to other', 'alter policy other on estimates rename to company_admitted', /policy company_admitted of estimates is missing/],
  ['policies', 'create policy open on contrapartes using (true)', 'drop policy open on contrapartes', /`drop policy open on contrapartes`/],
  ['policies', 'create table invoices (company_id int)', 'drop table invoices', /row-level security is disabled on invoices/],
  ['policies', 'alter policy company_admitted on contracts using (true)', `alter policy company_admitted on contracts using (${admitted})`, /policy company_admitted of contracts is missing or changed/],
  ['policies', 'alter policy company_admitted on changes with check (true)', `alter policy company_admitted on changes with check (${admitted})`, /policy company_admitted of changes is missing or/],
  ['policies', 'alter policy search_candidates on contracts to public', 'alter policy search_candidates on contracts to obra_search', /in no migration: run `drop policy search_candidates on contracts`/],
  ['triggers', 'alter table contracts disable trigger user', 'alter table contracts enable trigger user', /`alter table contracts enable trigger user`/],
  ['triggers', 'alter table estimates disable trigger all', 'alter table estimates enable trigger all', /`alter table estimates enable trigger all`/],
  ['triggers', 'alter trigger revision_update on contrapartes rename to other', 'alter trigger other on contrapartes rename to revision_update', /^contrapartes.revision_update \(missing\), contrapartes.other differ from this release: run `obra migrate`$/],
  ['triggers', 'create or replace trigger touch_record before insert on contracts for each row execute function touch_record()', 'create or replace trigger touch_record before update on contracts for each row execute function touch_record()', /^contracts.touch_record differs from this release: run `obra migrate`$/],
  ['writes', 'set default_transaction_read_only = on', 'set default_transaction_read_only = off', /the database is read-only/],
  ['rights', 'revoke update on contracts from obra_app', 'grant update on contracts to obra_app', /obra_app lacks update on contracts: run `grant update on contracts to obra_app`/],
  ['rights', 'alter table refresh_tokens rename to other', 'alter table other rename to refresh_tokens', /table refresh_tokens is missing/],
  ['rights', 'grant update (password) on users to public', 'revoke update (password) on users from public', /public has update on users/],
  ['rights', 'grant create on schema public to obra_app', 'revoke create on schema public from obra_app', /`revoke create on schema public from obra_app, public`/],
  ['rights', 'grant update on company_revisions to obra_app', 'revoke update on company_revisions from obra_app', /`revoke update on company_revisions from obra_app`/],
  ['rights', 'grant truncate on contracts to obra_app', 'revoke truncate on contracts from obra_app', /obra_app has truncate on contracts/],
  ['rights', 'grant select on search.contracts to obra_app', 'revoke select on search.contracts from obra_app', /obra_app has select on search.contracts/],
  ['functions', 'alter function keep_sum set enable_sort = on', 'alter function keep_sum set enable_sort = off', /^keep_sum differs from this release: run `obra migrate`$/],
  ['functions', 'alter function contracts_history set enable_mergejoin = on', 'alter function contracts_history set enable_mergejoin = off', /^contracts_history differs from this release: run `obra migrate`$/],
  ['rights', 'grant select on users to public', 'revoke select on users from public', /public has select on users/],
  ['rights', 'alter function search.candidates owner to postgres', 'alter function search.candidates owner to obra_search', /runs with the privileges of postgres: run `alter function search.candidates\(text,integer,text\[\],integer\) owner to obra_search`/],
  ['rights', 'revoke insert, update on search.progress from obra_search', 'grant insert, update on search.progress to obra_search', /obra_search lacks insert, update on search.progress: run `grant insert, update on search.progress to obra_search`/],
  ['rights', 'grant execute on function search.candidates to public', 'revoke execute on function search.candidates from public', /public can execute search.candidates\(/],
  ['rights', 'revoke execute on function search.candidates from obra_app', 'grant execute on function search.candidates to obra_app', /obra_app cannot execute search.candidates\(/],
  ['memberships', "do $$ begin alter table memberships disable trigger user; insert into memberships (user_id, company_id, nivel_acceso) select u.id, c.id, 3 from users u, companies c where u.email = 'director@otra.example' and c.nombre = 'Obra Sur'; alter table memberships enable trigger user; end $$",
    "delete from memberships m using users u where u.id = m.user_id and u.email = 'director@otra.example' and m.company_id = 2", /^user 7 of customer 2 is a member of company 2 of customer 1: .*DELETE memberships\/\d+\//],
  ['rights', 'grant execute on function lock_companies to public', 'revoke execute on function lock_companies from public', /public can execute lock_companies\(integer\[\]\) with its owner's privileges: run `revoke execute on function lock_companies\(integer\[\]\) from public`/],
  ['rights', 'grant execute on function contracts_revision to public', 'revoke execute on function contracts_revision from public', /`revoke execute on function contracts_revision\(\) from public`/],
  ['rights', 'create function mine() returns int language sql security definer return 1', 'drop function mine()', /public can execute mine\(\)/],
  ['rights', 'revoke execute on function lock_companies from obra_app', 'grant execute on function lock_companies to obra_app', /obra_app cannot execute lock_companies\(/],
  ['rights', 'alter function lock_companies security invoker', 'alter function lock_companies security definer', /lock_companies is missing or no longer security definer/],
  ['rights', 'revoke execute on function purge_changes from obra_app', 'grant execute on function purge_changes to obra_app', /obra_app cannot execute purge_changes\(/],
  ['rights', 'alter function purge_changes security invoker', 'alter function purge_changes security definer', /purge_changes is missing or no longer security definer/],
  ['rights', 'alter function search.candidates rename to others', 'alter function search.others rename to candidates', /search.candidates is missing/],
  ['migrations', "delete from mikro_orm_migrations where name = '61-substitution'", "insert into mikro_orm_migrations (name) values ('61-substitution')", /1 pending \(61-substitution\): run `obra migrate`/],
  ['migrations', "insert into mikro_orm_migrations (name) values ('99-future')", "delete from mikro_orm_migrations where name = '99-future'", /does not know \(99-future\)/]
]

function problemsIn (findings: Finding[]): Finding[] {
  return findings.filter(({ outcome }) => outcome !== 'ok')
}

t.test('the checks of a database', async (t) => {
  const { psql } = await openTestDatabase(t)

  await t.test('a migrated database has no problems', async (t) => {
    const findings = await examineDatabase(psql)
    t.strictSame(problemsIn(findings), [])
    t.strictSame(findings.map(({ check }) => check), ['version', 'writes', 'clock', 'migrations', 'role', 'policies', 'triggers', 'functions', 'rights', 'memberships', 'sequences', 'statistics', 'invoices', 'webhooks'])
    t.equal(findings.find(({ check }) => check === 'migrations')?.message, `all ${migrations.length} have run`)
  })

  await t.test('relations and functions of an extension are not judged', async (t) => {
    const parts = ['view statements', 'table tickets', 'function counted()']
    await psql('create view statements as select 1 as calls')
    await psql('grant select on statements to public')
    await psql('create table tickets (company_id int)')
    await psql('grant truncate on tickets to obra_app')
    await psql('create function counted() returns int language sql security definer return 1')
    t.strictSame(problemsIn(await examineDatabase(psql)).map(({ check }) => check), ['policies', 'policies', 'policies', 'rights', 'rights', 'rights'], 'of no extension')
    for (const part of parts) await psql(`alter extension plpgsql add ${part}`)
    t.strictSame(problemsIn(await examineDatabase(psql)), [])
    for (const part of parts) {
      await psql(`alter extension plpgsql drop ${part}`)
      await psql(`drop ${part}`)
    }
  })

  await t.test('a sequence near its end is reported, for accounts and business records', async (t) => {
    for (const [sequence, largest] of [['memberships_id_seq', 2_147_483_647], ['contracts_id_seq', Number.MAX_SAFE_INTEGER]] as const) {
      const [{ last }] = await psql(`select last_value as last from ${sequence}`) as [{ last: number }]
      for (const [share, outcome] of [[0.49, undefined], [0.51, 'warning'], [0.89, 'warning'], [0.91, 'failed'], [1, 'failed']] as const) {
        await psql(`select setval('${sequence}', ${Math.floor(share * largest)})`)
        const found = problemsIn(await examineDatabase(psql))
        t.equal(found.length, outcome === undefined ? 0 : 1, `${sequence} ${share}`)
        if (outcome !== undefined) t.match(found, [{ check: 'sequences', outcome, message: `${sequence} has used` }])
      }
      await psql(`select setval('${sequence}', ${last})`)
    }
  })

  await t.test('a large table without statistics is reported, and one that has doubled since', async (t) => {
    const found = async () => problemsIn(await examineDatabase(psql))
    await forgetStatistics(psql)
    t.strictSame(await found(), [], 'small tables')
    const fill = async (rows: number) => await psql("insert into known_addresses (user_id, address) select 1, lpad(n::text, 43, '0') from generate_series(1, $1::int) n on conflict do nothing", [rows])
    await fill(15_000)
    t.match(await found(), [{ check: 'statistics', outcome: 'warning', message: /^known_addresses has no statistics, .*: start a server, which analyzes it, or run `analyze known_addresses`$/ }])
    await psql('analyze known_addresses')
    t.strictSame(await found(), [])
    await fill(40_000)
    t.match(await found(), [{ check: 'statistics', outcome: 'warning', message: /^known_addresses has more than doubled since its last analysis, / }])
    await psql('delete from known_addresses')
    await psql('vacuum known_addresses')
    t.strictSame(await found(), [])
  })

  await t.test('webhooks that fail or that no server delivers are reported', async (t) => {
    await psql("select set_config('app.companies', '{1}', false)")
    const [{ id }] = await psql("insert into webhooks (company_id, url, secrets) values (1, 'https://erp.obra.example/', '') returning id") as [{ id: number }]
    const found = async () => problemsIn(await examineDatabase(psql))
    const state = async (set: string) => await psql(`update webhook_cursors set ${set} where webhook_id = $1`, [id])
    t.strictSame(await found(), [], 'a change of this moment')
    await psql("update changes set changed_at = changed_at - interval '1 minute' where company_id = 1")
    t.match(await found(), [{ check: 'webhooks', outcome: 'warning', message: `webhook ${id} of company 1 has undelivered changes: start a server with WEBHOOKS=on` }])
    await state("failures = 7, failing_since = '2026-03-01 10:00+00'")
    t.match(await found(), [{ check: 'webhooks', outcome: 'warning', message: `webhook ${id} of company 1 fails since 2026-03-01 10:00 UTC, 7 attempts` }])
    await state('activo = false')
    t.strictSame(await found(), [])
    await psql('delete from webhooks')
  })

  await t.test('invoices of several live estimates are reported', async (t) => {
    await psql("select set_config('app.companies', '{1,2}', false)")
    const [{ id: contract }] = await psql("insert into contracts (company_id, folio) values (1, 'FACTURAS') returning id") as [{ id: number }]
    const invoice = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
    const add = async (n: number, estado: string) => ((await psql('insert into estimates (company_id, contract_id, factura_uuid, estado) values (1, $1, $2, $3) returning id', [contract, invoice(n), estado])) as [{ id: number }])[0].id
    const ids: number[][] = []
    // The trigger refuses further estimates with the invoice; the estimates here are from before it.
    await psql('alter table estimates disable trigger guard_insert')
    for (let n = 1; n <= 6; n++) {
      ids.push([await add(n, 'borrador'), await add(n, 'enviada')])
      await add(n, 'cancelada')
    }
    await add(7, 'borrador')
    await add(7, 'rechazada')
    await psql('alter table estimates enable trigger guard_insert')
    const found = problemsIn(await examineDatabase(psql))
    t.strictSame(found.map(({ message }) => message), [
      ...ids.slice(0, 5).map((pair, index) => `the estimates ${pair.join(', ')} of company 1 have the same factura_uuid ${invoice(index + 1)}: clear it in all but one`),
      'and 1 more invoices of several estimates'])
    t.ok(found.every(({ check, outcome }) => check === 'invoices' && outcome === 'warning'))
    await psql("select set_config('app.companies', '{1,2}', false)")
    await psql("update estimates set estado = 'cancelada' where contract_id = $1 and estado = 'enviada'", [contract])
    t.strictSame(problemsIn(await examineDatabase(psql)), [])
  })

  await t.test('each fault is found, with its repair and without other findings', async (t) => {
    for (const [check, harm, repair, message] of broken) {
      // Roles belong to the whole server, so a transaction hides the change from other tests.
      if (server !== undefined) await psql('begin')
      await psql(harm)
      const found = problemsIn(await examineDatabase(psql))
      await psql(server === undefined ? repair : 'rollback')
      // An owner has all rights, so other checks can fail too.
      const own = found.filter(finding => finding.check === check)
      t.match(own.map(({ outcome }) => outcome), ['failed'], harm)
      t.match(own[0]?.message, message)
      const others = found.filter(finding => finding.check !== check).map(({ check }) => check)
      if (!harm.includes('owner')) t.strictSame(others, /^alter function .* (rename|security)/.test(harm) ? ['functions'] : [], `${harm}: no other findings`)
    }
    t.strictSame(problemsIn(await examineDatabase(psql)), [], 'the repairs leave no problems')
  })
})

t.test('version, clock difference and used ids are judged by their values', async (t: Test) => {
  t.strictSame([150_000, 180_003].map(version => judgeVersion(version)), [
    { check: 'version', outcome: 'ok', message: 'PostgreSQL 15.0' }, { check: 'version', outcome: 'ok', message: 'PostgreSQL 18.3' }])
  t.strictSame(judgeVersion(140_012), { check: 'version', outcome: 'failed', message: 'PostgreSQL 14.12: 15 or newer is needed' })
  t.strictSame([0, -1999, 2500, -29_900, 30_000, -90_000].map(difference => judgeClock(difference).outcome), ['ok', 'ok', 'warning', 'warning', 'failed', 'failed'])
  t.match(judgeClock(-2500).message, "2.5 s behind this machine's")
  t.match(judgeClock(2500).message, "2.5 s ahead of this machine's")
  t.match([0, 0.4999, 0.5, 0.8999, 0.9, 1].map(share => judgeUsage('users_id_seq', share)?.outcome), [undefined, undefined, 'warning', 'warning', 'failed', 'failed'])
  t.match(judgeUsage('users_id_seq', 0.5678)?.message, 'users_id_seq has used 56 % of its ids')
  t.match(judgeMigrations([]), { outcome: 'failed', message: /^\d+ pending/ })
})
