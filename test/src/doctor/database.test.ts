import t, { type Test } from 'tap'
import { examineDatabase, judgeClock, judgeMigrations, judgeVersion } from '../../../src/doctor/database.ts'
import type { Finding } from '../../../src/doctor/finding.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { openTestDatabase } from '../../helper.ts'
import { server } from '../../template.ts'

/** Every way to break a database, what mends it where nothing can be rolled back, and what must be said of it. */
const broken: Array<[check: string, harm: string, mend: string, told: RegExp]> = [
  ['role', 'alter role obra_app superuser', 'alter role obra_app nosuperuser', /`alter role obra_app nosuperuser`/],
  ['role', 'alter role obra_app bypassrls', 'alter role obra_app nobypassrls', /`alter role obra_app nobypassrls`/],
  ['role', 'alter role obra_app createrole', 'alter role obra_app nocreaterole', /`alter role obra_app nocreaterole`/],
  ['role', 'alter role obra_app login', 'alter role obra_app nologin', /`alter role obra_app nologin`/],
  ['role', 'grant obra_search to obra_app', 'revoke obra_search from obra_app', /member of obra_search: run `revoke obra_search from obra_app`/],
  ['role', 'alter table contracts owner to obra_app', 'alter table contracts owner to postgres', /owns .*\bcontracts\b/],
  ['policies', 'alter table contracts disable row level security', 'alter table contracts enable row level security', /`alter table contracts enable row level security`/],
  ['policies', 'alter table changes no force row level security', 'alter table changes force row level security', /`alter table changes force row level security`/],
  ['policies', 'alter policy company_admitted on estimates rename to other', 'alter policy other on estimates rename to company_admitted', /estimates has lost its policy/],
  ['policies', 'create policy open on contrapartes using (true)', 'drop policy open on contrapartes', /`drop policy open on contrapartes`/],
  ['policies', 'create table invoices (company_id int)', 'drop table invoices', /invoices has no row level security/],
  ['rights', 'grant update on company_revisions to obra_app', 'revoke update on company_revisions from obra_app', /`revoke update on company_revisions from obra_app`/],
  ['rights', 'grant truncate on contracts to obra_app', 'revoke truncate on contracts from obra_app', /obra_app may truncate contracts/],
  ['rights', 'grant select on users to public', 'revoke select on users from public', /public may select users/],
  ['migrations', "delete from mikro_orm_migrations where name = '9-growth'", "insert into mikro_orm_migrations (name) values ('9-growth')", /1 have not run \(9-growth\): run `obra migrate`/],
  ['migrations', "insert into mikro_orm_migrations (name) values ('99-future')", "delete from mikro_orm_migrations where name = '99-future'", /does not know \(99-future\)/]
]

function notWell (findings: Finding[]): Finding[] {
  return findings.filter(({ outcome }) => outcome !== 'ok')
}

t.test('a database is looked over', async (t) => {
  const { psql } = await openTestDatabase(t)

  await t.test('and nothing is wrong with one that the migrations have made', async (t) => {
    const findings = await examineDatabase(psql)
    t.strictSame(notWell(findings), [])
    t.strictSame(findings.map(({ check }) => check), ['version', 'clock', 'migrations', 'role', 'policies', 'rights'])
    t.equal(findings.find(({ check }) => check === 'migrations')?.message, `all ${migrations.length} have run`)
  })

  await t.test('and whatever is broken is found, alone, with what mends it', async (t) => {
    for (const [check, harm, mend, told] of broken) {
      // Roles are the whole server's: elsewhere than here nothing may be seen of it.
      if (server !== undefined) await psql('begin')
      await psql(harm)
      const found = notWell(await examineDatabase(psql))
      await psql(server === undefined ? mend : 'rollback')
      // An owner has every right, whoever it is.
      const own = found.filter(finding => finding.check === check)
      t.match(own.map(({ outcome }) => outcome), ['failed'], harm)
      t.match(own[0]?.message, told)
      if (!harm.includes('owner')) t.equal(found.filter(finding => finding.check !== check).length, 0, `${harm}: nothing else`)
    }
    t.strictSame(notWell(await examineDatabase(psql)), [], 'and all is well again')
  })
})

t.test('what no test can bring about is judged by its figures', async (t: Test) => {
  t.strictSame([150_000, 180_003].map(version => judgeVersion(version)), [
    { check: 'version', outcome: 'ok', message: 'PostgreSQL 15.0' }, { check: 'version', outcome: 'ok', message: 'PostgreSQL 18.3' }])
  t.strictSame(judgeVersion(140_012), { check: 'version', outcome: 'failed', message: 'PostgreSQL 14.12: 15 or newer is needed' })
  t.strictSame([0, -1999, 2500, -29_900, 30_000, -90_000].map(difference => judgeClock(difference).outcome), ['ok', 'ok', 'warning', 'warning', 'failed', 'failed'])
  t.match(judgeClock(-2500).message, "2.5 s behind this machine's")
  t.match(judgeClock(2500).message, "2.5 s ahead of this machine's")
  t.match(judgeMigrations([]), { outcome: 'failed', message: /^9 have not run|^\d+ have not run/ })
})
