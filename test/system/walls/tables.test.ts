import t from 'tap'
import { openTestDatabase } from '../../support/helper.ts'

// Tables that authorization and accounts use. They state who may enter a company and hold no business data.
const outside = ['company_revisions', 'memberships', 'users', 'webhook_cursors']
// Logs that contain business data. Rows about accounts have no company.
const logs = ['changes', 'idempotency_keys', 'purged_revisions', 'devices', 'mutations', 'device_refs', 'webhook_deliveries', 'history']
// What the service knows of the bytes of files.
const files = ['stored_files', 'uploads']
// Derived from business data by triggers.
const sums = ['contract_levels', 'estimate_sums', 'contract_sums', 'subcontract_sums', 'estimate_lines', 'concepto_sums', 'movement_sums', 'caratulas']

t.test('tables with a company', async (t) => {
  const { psql } = await openTestDatabase(t)
  const columns = await psql(`
    select c.relname as table, c.relrowsecurity as enabled, c.relforcerowsecurity as forced, a.attnotnull as required
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`)
  const tenant = columns.filter(({ table }) => !outside.includes(table))
  const names = tenant.map(({ table }) => table)

  await t.test('every table with business data has forced row level security and a company in every row', async (t) => {
    t.ok(names.includes('contracts') && names.includes('contrapartes') && names.includes('estimates') && names.includes('changes'), `found ${names.join(', ')}`)
    for (const { table, ...walls } of tenant) t.same(walls, { enabled: true, forced: true, required: table !== 'idempotency_keys' }, table)
  })

  await t.test('each has one policy, for all commands and roles, on rows read and rows written', async (t) => {
    const policies = await psql("select tablename as table, permissive, roles::text, cmd, qual, with_check from pg_policies where schemaname = 'public' and policyname <> 'search_candidates' order by 1")
    t.same(policies.map(({ table }) => table), names)
    for (const { table, qual, with_check: check, ...policy } of policies) {
      t.same(policy, { permissive: 'PERMISSIVE', roles: '{public}', cmd: 'ALL' }, table)
      t.match(qual, /company_id = ANY \(\( SELECT .*app\.companies/, `${table}: the setting is read once per statement`)
      t.equal(check, qual, table)
    }
  })

  await t.test('another policy lets only the search index read', async (t) => {
    const policies = await psql("select tablename as table, permissive, roles::text, cmd, qual, with_check from pg_policies where policyname = 'search_candidates' order by 1")
    const kept = await psql("select name as table from search_resources union all select 'changes' order by 1")
    t.ok(kept.length >= 2)
    t.same(policies, kept.map(({ table }) => ({ table, permissive: 'PERMISSIVE', roles: '{obra_search}', cmd: 'SELECT', qual: 'true', with_check: null })))
  })

  await t.test('every reference between them has the company in its key', async (t) => {
    const references = await psql(`
      select k.conname as name, array_agg(a.attname::text order by a.attname) as columns, array_agg(f.attname::text order by a.attname) as referred, k.condeferrable as deferrable, k.convalidated as valid
      from pg_constraint k
      cross join lateral unnest(k.conkey, k.confkey) as pair (own, other)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.own
      join pg_attribute f on f.attrelid = k.confrelid and f.attnum = pair.other
      where k.contype = 'f' and k.conrelid::regclass::text = any ($1) and k.confrelid::regclass::text = any ($1)
      group by k.oid, k.conname, k.condeferrable, k.convalidated order by 1`, [names])
    t.ok(references.length >= 3)
    for (const { name, columns, referred, ...rest } of references) {
      // A column that both records have, such as the contract, has the same name in both.
      const shared = columns.filter((column: string) => referred.includes(column))
      t.ok(shared.includes('company_id'), name)
      t.match(columns.filter((column: string) => !shared.includes(column)), [/_id$/], name)
      t.same(referred.filter((column: string) => !shared.includes(column)), ['id'], name)
      t.same(rest, { deferrable: false, valid: true }, name)
    }
  })

  await t.test('every column with the id of a record has such a reference', async (t) => {
    const columns = await psql(`
      select c.relname || '.' || a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relname = any ($1) and c.relkind = 'r' and a.attname ~ '_id$' and a.attname not in ('company_id', 'external_id', 'record_id')
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))`, [names])
    t.same(columns, [])
  })

  await t.test('each business table has a counter and the revision triggers, and refuses truncate', async (t) => {
    for (const table of names.filter(name => ![...logs, ...files, ...sums].includes(name))) {
      const triggers = await psql('select tgname::text as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal and tgenabled = \'O\'', [table])
      for (const name of ['revision_insert', 'revision_update', 'revision_delete', 'touch_record', 'refuse_truncate']) {
        t.ok(triggers.some(trigger => trigger['name'] === name), `${table}: ${name}`)
      }
      t.equal((await psql("select from pg_attribute where attrelid = 'company_revisions'::regclass and attname = $1", [table])).length, 1, `${table}: counter`)
      await t.rejects(psql(`truncate ${table} cascade`), { code: '0A000' }, table)
    }
  })
})
