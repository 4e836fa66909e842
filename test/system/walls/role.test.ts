import { randomBytes } from 'node:crypto'
import t from 'tap'
import { companyResources, recordedResources } from '../../../src/domain/entities/index.ts'
import { registered } from '../../../src/domain/resources.ts'
import { openTestDatabase } from '../../support/helper.ts'

const business = registered.map(({ name }) => name)

t.test('the role of the service', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ norte, otra }] = await psql("select (select id from companies where nombre = 'Obra Norte') as norte, (select id from companies where nombre = 'Otra Uno') as otra") as [{ norte: number, otra: number }]
  const unnarrowed = async (text: string) => await sql.query({ text, values: [] })
  // Under another role these statements could change the whole PostgreSQL server.
  if ((await unnarrowed('select current_user::text as role'))[0]?.['role'] !== 'obra_app') throw new Error('the service acts as another role than obra_app')
  const inNorte = async (...texts: string[]) => (await sql.within([norte], 'read write', texts.map(text => ({ text, values: [] })))).at(-1)
  const bill = (company: number) => `insert into estimates (company_id, contract_id) select ${company}, min(id) from contracts where company_id = ${company}`
  for (const company of [norte, otra]) await psql(bill(company))
  const [{ theirs }] = await psql('select min(id) as theirs from contracts where company_id = $1', [otra]) as [{ theirs: number }]
  const snapshot = async () => await psql(`
    select (select json_agg(c order by id) from contracts c)::text as contracts, (select json_agg(p order by id) from contrapartes p)::text as contrapartes,
      (select json_agg(e order by id) from estimates e)::text as estimates,
      (select json_agg(r order by company_id) from company_revisions r)::text as revisions, (select count(*) from changes) as changes`)
  const before = await snapshot()

  await t.test('is obra_app, which owns nothing, has no other role and bypasses nothing', async (t) => {
    t.same(await unnarrowed('select current_user::text as role'), [{ role: 'obra_app' }])
    t.same(await psql("select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication from pg_roles where rolname = 'obra_app'"),
      [{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolcanlogin: false, rolreplication: false }])
    t.same(await psql("select relname from pg_class where relowner = 'obra_app'::regrole union all select proname from pg_proc where proowner = 'obra_app'::regrole"), [])
    t.same(await psql("select roleid from pg_auth_members where member = 'obra_app'::regrole"), [])
    t.same(await psql("select has_schema_privilege('obra_app', 'public', 'create') as creates"), [{ creates: false }])
  })

  await t.test('sees no row if no company is set', async (t) => {
    for (const table of [...business, 'changes']) {
      t.same(await unnarrowed(`select count(*) as rows from ${table}`), [{ rows: 0 }], table)
      t.same(await sql.within([], 'read only', [{ text: `select count(*) as rows from ${table}`, values: [] }]), [[{ rows: 0 }]], table)
    }
  })

  await t.test('writes no row if no company is set', async (t) => {
    await t.rejects(unnarrowed(`insert into contracts (company_id, folio) values (${norte}, 'X')`), { code: '42501' })
    await t.rejects(unnarrowed(`insert into contrapartes (company_id, nombre) values (${norte}, 'X')`), { code: '42501' })
    await t.rejects(unnarrowed(`insert into estimates (company_id, contract_id) values (${norte}, 1)`), { code: '42501' })
    t.same(await unnarrowed('update contracts set monto = 1 returning id'), [])
    t.same(await unnarrowed('delete from contrapartes returning id'), [])
  })

  await t.test('reads and writes only its company, with any statement', async (t) => {
    t.same(await inNorte('select distinct company_id as company from contracts'), [{ company: norte }])
    t.same(await inNorte(`select id from contracts where company_id = ${otra}`), [])
    t.same(await inNorte(`update contracts set monto = 1 where company_id = ${otra} returning id`), [])
    t.same(await inNorte(`delete from contracts where company_id = ${otra} returning id`), [])
    await t.rejects(inNorte(`insert into contracts (company_id, folio) values (${otra}, 'X')`), { code: '42501' })
    await t.rejects(inNorte(`insert into estimates (company_id, contract_id) values (${otra}, 1)`), { code: '42501' })
    t.same(await inNorte('select distinct company_id as company from estimates'), [{ company: norte }])
    t.same(await inNorte(`select count(*) as rows from estimate_amounts(${otra}, ${theirs}, 1, 0, 0, 0, 0)`), [{ rows: 0 }])
    await t.rejects(inNorte(`update contracts set company_id = ${otra}`), { code: /^(42501|23514)$/ })
    await t.rejects(inNorte(`merge into contracts t using (values (${otra})) s (c) on t.company_id = s.c when not matched then insert (company_id, folio) values (s.c, 'X')`), { code: '42501' })
  })

  await t.test('cannot alter or truncate tables, disable triggers, or write the tables that only triggers write', async (t) => {
    for (const text of [
      'alter table contracts disable row level security', 'alter table contracts no force row level security', 'drop policy company_admitted on contracts',
      'alter table contracts disable trigger all', 'alter table estimates disable trigger keep_estimate', 'drop table changes', 'create policy all_of_it on contracts using (true)', 'truncate contracts',
      'create table public.mine (id int)', 'create table pg_temp.mine (id int references contracts)', 'create index on contracts (monto)', "set session_replication_role = 'replica'",
      'alter role obra_app bypassrls', 'alter function lock_companies(int[]) owner to obra_app',
      ...[['estimate_sums', 'monto'], ['contract_sums', 'monto'], ['subcontract_sums', 'monto'], ['estimate_lines', 'cantidad'], ['concepto_sums', 'cantidad'], ['movement_sums', 'tomado'], ['caratulas', 'estimate_id']].flatMap(([table, amount]) => [`update ${table} set ${amount} = 0`, `delete from ${table}`, `insert into ${table} default values`]),
      'update company_revisions set revision = 0', 'insert into company_revisions (company_id) values (1)', 'delete from company_revisions',
      `insert into changes (company_id, revision, resource, record_id, operation) values (${norte}, 9, 'contracts', 1, 'update')`, 'update changes set record_id = 1', 'delete from changes',
      'delete from companies', 'delete from users', 'delete from customers', "delete from mikro_orm_migrations where name = '61-substitution'"
    ]) await t.rejects(inNorte(text), { code: /^(42501|42P16|42710)$/ }, text)
  })

  await t.test('reaches nothing outside the tables: no server secrets, files, programs, other sessions or more rights', async (t) => {
    for (const text of [
      'select * from pg_authid', 'select * from pg_shadow', 'select * from pg_user_mapping', 'alter policy company_admitted on contracts using (true)', 'alter table contracts add column x int',
      'create schema mine', 'create role mine', 'create publication mine for all tables',
      "set local log_statement = 'all'", 'alter role obra_app superuser', 'drop role obra_search', 'create event trigger mine on ddl_command_start execute function pg_notify()',
      "copy contracts to '/tmp/obra-out'", "copy contracts from '/etc/passwd'", "copy contracts from program 'id'", "select lo_import('/etc/passwd')", "select lo_export(1, '/tmp/obra-out')",
      "select pg_read_file('/etc/passwd')", "select pg_ls_dir('.')", 'select pg_reload_conf()', "select pg_logical_emit_message(true, 'x', 'x'), pg_switch_wal()", 'truncate company_revisions', 'truncate users',
      'comment on table contracts is null', 'drop table contracts', 'drop trigger revision_insert on contracts', 'drop function lock_companies(int[])',
      "create or replace function lock_companies(companies int[]) returns void language sql as ''", 'drop index contracts_parent_index', 'reindex table contracts', "select setval('contracts_id_seq', 1)", 'alter sequence contracts_id_seq restart',
      'lock table company_revisions', 'create table search.mine (id int)', 'select contracts_revision()', "call keep_search_of('contracts')"
    ]) await t.rejects(inNorte(text), { code: '42501' }, text)
  })

  await t.test('sees no other rows through cheap functions in WHERE, views, statistics, COPY or settings', async (t) => {
    await psql('analyze contracts')
    const spy = "create function pg_temp.spy(text) returns boolean language plpgsql cost 0.0000001 as $$ begin if $1 like 'OU-%' then raise exception 'seen %', $1; end if; return true; end $$"
    t.equal((await inNorte(spy, 'select folio from contracts where pg_temp.spy(folio)', 'select folio from contracts where pg_temp.spy(folio)'))?.length, 60)
    t.same(await inNorte("select * from pg_stats where tablename in ('contracts', 'contrapartes')"), [])
    await t.rejects(inNorte('select * from pg_statistic'), { code: '42501' })
    await t.rejects(inNorte('set local row_security = off', 'select * from contracts'), { code: '42501' })
    t.same(await inNorte('create temp view all_of_it as select * from contracts', 'select distinct company_id as company from all_of_it'), [{ company: norte }])
    await t.rejects(inNorte("copy contracts to program 'true'"), { code: /^(42501|0A000)$/ })
    t.same(await inNorte(`select lock_companies('{${otra}}')::text as nothing`), [{ nothing: '' }])
  })

  await t.test('may call six security definer functions and cannot change their search path; no other login may call any', async (t) => {
    t.same(await psql(`
      select proname::text as name, has_function_privilege('obra_app', oid, 'execute') as may, has_function_privilege('public', oid, 'execute') as everybody, proconfig[1] as path
      from pg_proc where prosecdef and pronamespace = any (array['public', 'search']::regnamespace[]) order by 1`), [
      ...[
        ['add_company_revision', false], ['analyze_grown', true], ['candidates', true], ['change_advance', false], ['index_changes', true], ['keep_caratula', false], ['keep_convenio_sums', false], ['keep_estimate_authorized', false], ['keep_estimate_sums', false],
        ['keep_lines_authorized', false], ['keep_movements_authorized', false], ['keep_subcontract_sums', false], ['lock_companies', true], ['locked_companies', true], ['purge_changes', true],
        ['raise_authority_of_all', false], ['raise_authority_of_company', false], ['raise_authority_of_user', false], ['raise_company_revision', false], ['reprice_lines', false], ['settle_contract', false], ['sum_lines', false], ['switch_off_webhooks', false], ['undo_authorization', false], ['undo_lines', false], ['undo_movements', false],
        ...companyResources.map(({ name }): [string, boolean] => [`${name}_revision`, false]),
        ...recordedResources.map(({ name }): [string, boolean] => [`${name}_history`, false])
      ].toSorted().map(
        ([name, may]) => ({ name, may, everybody: false, path: 'search_path=pg_catalog, public, pg_temp' }))])
  })

  await t.test('only the service and the owner can lock companies; only the owner can create tables of resources', async (t) => {
    const login = `obra_test_login_${randomBytes(4).toString('hex')}`
    await psql(`create role ${login} login`)
    await t.rejects(psql(`do $$ begin set local role ${login}; perform lock_companies('{${otra}}'); end $$`), { code: '42501', message: 'permission denied for function lock_companies' })
    await psql(`drop role ${login}`)
    t.same(await psql("select oid::regprocedure::text as name from pg_proc where prokind = 'p' and pronamespace = 'public'::regnamespace and has_function_privilege('public', oid, 'execute')"), [])
  })

  await t.test('gets nothing of other companies from the search index', async (t) => {
    const candidates = (company: number, term = 'ou') => `select search.candidates('contracts', ${company}, array['${term}'], 1000) as ids`
    const own = await inNorte('select id from contracts order by id')
    t.same((await inNorte(candidates(norte, 'on-')))?.[0]?.['ids'].toSorted((a: number, b: number) => a - b), own?.map(({ id }) => id), 'the candidates are its own records')
    t.same(await inNorte(candidates(otra)), [{ ids: [] }])
    t.same(await inNorte("select search.candidates('contracts', null, array['ou'], 1000) as ids"), [{ ids: [] }])
    t.same(await unnarrowed(candidates(otra)), [{ ids: [] }], 'no candidates if no company is set')
    for (const term of [`ou''|''${otra}:ou`, `${otra}:ou`, 'ou:*', `x'':*|''${otra}#1`]) t.same(await inNorte(candidates(norte, term)), [{ ids: [] }], term)
    t.same(await inNorte("select search.candidates('users', 1, array['ou'], 1000) as ids", `select search.candidates('users', ${norte}, array['ou'], 1000) as ids`), [{ ids: null }])

    for (const text of [
      'grant obra_search to obra_app', 'select * from search_resources', 'select * from search.contracts', 'select * from search.progress', 'delete from search.contracts', "insert into search_resources values ('users')",
      "call keep_search_of('users')", 'create function search.mine() returns int language sql return 1', 'alter function search.candidates(text, int, text[], int) security invoker',
      'drop policy search_candidates on contracts', 'alter policy search_candidates on contracts to public'
    ]) await t.rejects(inNorte(text), { code: /^(42501|0LP01)$/ }, text)
  })

  await t.test('is subject to the company policy only; the search index policy is for a role that no login has', async (t) => {
    t.same(await psql("select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication from pg_roles where rolname = 'obra_search'"),
      [{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolcanlogin: false, rolreplication: false }])
    t.same(await psql("select m.member::regrole::text from pg_auth_members m where m.roleid = 'obra_search'::regrole and pg_has_role(m.member, m.roleid, 'usage') and not (select rolsuper from pg_roles r where r.oid = m.member)"), [])
    t.same(await psql("select p.proname::text as name from pg_proc p where p.proowner = 'obra_search'::regrole order by 1"), [{ name: 'candidates' }, { name: 'index_changes' }])
    const searched = companyResources.filter(({ search }) => search.includes('t.busqueda'))
    t.same(await psql(`
      select distinct c.relname::text as table, coalesce(a.attname, '*')::text as column, has_table_privilege('obra_search', c.oid, 'insert, update, delete, truncate') as writes
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_column_privilege('obra_search', c.oid, a.attnum, 'select') and c.relname <> 'search_resources'
      order by 1, 2`), [
      ...['company_id', 'record_id', 'resource', 'revision'].map(column => ({ table: 'changes', column, writes: false })),
      ...['company_id', 'revision'].map(column => ({ table: 'company_revisions', column, writes: false })),
      ...searched.flatMap(({ name: table, references, searchReference }) =>
        ['busqueda', 'company_id', 'id', ...searchReference === undefined ? [] : [references[searchReference]?.column]].toSorted().map(column => ({ table, column, writes: false })))
    ].toSorted((a, b) => a.table < b.table ? -1 : a.table > b.table ? 1 : 0))
  })

  await t.test('cannot use the revision triggers on a table of its own', async (t) => {
    for (const table of business) {
      await t.rejects(inNorte(
        'create temp table mine (company_id int, id int) on commit drop',
        `create trigger mine after insert on mine referencing new table as new_rows for each statement execute function ${table}_revision()`,
        `insert into mine values (${otra}, 1)`), { code: '42501' }, table)
    }
    await t.rejects(inNorte('create temp table mine (id int) on commit drop', 'create trigger mine after insert on mine for each row execute function add_company_revision()', 'insert into mine values (1)'), { code: '42501' })
  })

  t.same(await snapshot(), before, 'nothing has changed')
})
