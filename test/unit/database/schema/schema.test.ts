import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { examineTriggers } from '../../../../src/cli/doctor/triggers.ts'
import { companyRevisionOf } from '../../../../src/domain/entities/company-revision.ts'
import { companyResources, entities } from '../../../../src/domain/entities/index.ts'
import { defineResource } from '../../../../src/domain/define.ts'
import { choice, reference, text } from '../../../../src/resources/declaration/fields.ts'
import { openCompared } from '../../../support/compared.ts'
import { migration } from '../../../fourth-resource/migration.ts'
import { almacenes } from '../../../fourth-resource/resource.ts'
import type { CompanyDeclaration } from '../../../../src/resources/declaration/declaration.ts'
import { load } from '../../../../src/database/schema/load.ts'
import { declaredBy } from '../../../../src/database/schema/declared.ts'

t.test('the entities match the database that the migrations create', async (t) => {
  const { orm, differences } = await openCompared(t)
  t.strictSame(await differences(), [])
  t.strictSame(await orm.schema.getUpdateSchemaMigrationSQL({ wrap: false }), { up: '', down: '' })
})

const fields = {
  clave: text(20).required().unique(),
  direccion: text(500).default(''),
  contract: reference(contracts, 'folio').nullable()
}
const revisions = { fires: 'after insert', rows: 'new table as new_rows', calls: 'contracts_revision' }

/** Changes of the declaration, against the migration of the fourth resource, and the SQL that they produce. */
const variations: Array<[name: string, changed: Partial<CompanyDeclaration<any>>, sql: RegExp]> = [
  ['length', { fields: { ...fields, clave: text(21).required().unique() } }, /alter column "clave" type varchar\(21\)/],
  ['type', { fields: { ...fields, direccion: choice(['norte', 'sur']) } }, /alter column "direccion" type varchar\(16\)/],
  ['default', { fields: { ...fields, direccion: text(500).default('Centro') } }, /alter column "direccion" set default 'Centro'/],
  ['nullability', { fields: { ...fields, direccion: text(500).default('').nullable() } }, /alter column "direccion" drop not null/],
  ['collation', { fields: { ...fields, clave: text(20).required().unique().collate('POSIX') } }, /alter column "clave" type varchar\(20\) collate "POSIX"/],
  ['unique', { fields: { ...fields, clave: text(20).required() } }, /drop constraint "almacenes_clave_unique"/],
  ['field', { fields: { ...fields, zona: text(20).default('') } }, /add "zona" varchar\(20\)/],
  ['reference', { fields: { ...fields, contract: reference('self', 'folio').nullable() } }, /"almacenes_contract_foreign" foreign key \("company_id", "contract_id"\) references "almacenes"/],
  ['search', { search: { columns: ['clave'] } }, /add "busqueda" text generated always as \(search_text\(clave\)\)/],
  ['check', { table: { checks: [{ name: 'almacenes_clave_check', expression: "clave <> ''" }] } }, /add constraint "almacenes_clave_check" check/],
  ['index', { table: { indexes: [{ name: 'almacenes_direccion_index', properties: ['company', 'direccion'] }] } }, /create index "almacenes_direccion_index"/],
  ['further trigger', { table: { triggers: { keep_zone: { fires: 'before insert' } } } }, /create trigger keep_zone before insert on almacenes/],
  ["trigger's function", { table: { triggers: { revision_insert: revisions } } }, /create trigger revision_insert .* execute function contracts_revision/],
  ["trigger's events", { table: { triggers: { touch_record: { fires: 'before insert or update' } } } }, /create trigger touch_record before insert or update on almacenes/]
]

t.test('any difference between an entity and its migration is detected', async (t) => {
  const { orm, differencesWith } = await openCompared(t)
  for (const statement of migration) await orm.em.execute(statement)
  await load(async <R extends object>(sql: string) => await orm.em.execute<R[]>(sql), declaredBy([...entities, almacenes.entity].map(({ meta }) => meta)))
  const others = entities.filter(({ meta }) => meta.tableName !== 'company_revisions')
  const revision = companyRevisionOf([...companyResources.map(({ name }) => name), 'almacenes'])
  const differences = async (entity: unknown) => await differencesWith([...others, revision, entity])

  t.strictSame(await differences(almacenes.entity), [], 'no difference without a change')
  for (const [name, changed, sql] of variations) {
    const { entity } = defineResource({ name: 'almacenes', title: 'Almacen', one: 'a warehouse', many: 'warehouses', spanish: { one: 'un almacén', many: 'almacenes' }, fields, search: { columns: ['clave', 'direccion'] }, ...changed } as CompanyDeclaration<any>)
    t.match((await differences(entity)).join(';\n'), sql, name)
  }
})

/** Parts of the walls, a statement that removes each, and the SQL that restores it. */
const walls: Array<[name: string, harm: string, sql: RegExp]> = [
  ['policy', 'drop policy company_admitted on contracts', /^create policy "company_admitted" on "contracts"/],
  ['condition of a policy', 'alter policy company_admitted on estimates using (true)', /^create policy "company_admitted" on "estimates"/],
  ['further policy', 'create policy open on contrapartes using (true)', /^drop policy "open" on "contrapartes"/],
  ['row level security', 'alter table changes disable row level security', /^alter table "changes" enable row level security/],
  ['forced row level security', 'alter table contracts no force row level security', /^alter table "contracts" force row level security/],
  ['revision trigger', 'drop trigger revision_update on contracts', /^create trigger revision_update after update on contracts/],
  ['function of a trigger', 'do $$ begin drop trigger revision_insert on estimates; create trigger revision_insert after insert on estimates for each statement execute function refuse_truncate(); end $$', /^create trigger revision_insert after insert on estimates referencing/],
  ['trigger against truncate', 'drop trigger refuse_truncate on contrapartes', /^create trigger refuse_truncate before truncate on contrapartes/],
  ['rule of a resource', 'drop trigger guard_update on contracts', /^create trigger guard_update before update on contracts/],
  ['trigger of members', 'drop trigger refuse_foreign_member on memberships', /^create constraint trigger refuse_foreign_member/],
  ['foreign key with the company', 'alter table estimates drop constraint estimates_contract_foreign', /foreign key \("company_id", "contract_id"\) references "contracts" \("company_id", "id"\)/],
  ['the company of a foreign key', 'do $$ begin alter table contracts drop constraint contracts_parent_foreign; alter table contracts add unique (id); alter table contracts add constraint contracts_parent_foreign foreign key (parent_id) references contracts (id); end $$', /foreign key \("company_id", "parent_id"\) references "contracts" \("company_id", "id"\)/],
  ['exclusion of overlapping periods', 'alter table estimates drop constraint estimates_periodo_exclusion', /add constraint "estimates_periodo_exclusion" exclude/],
  ['check', 'alter table contracts drop constraint contracts_fechas_check', /add constraint "contracts_fechas_check" check/],
  ['unique key', 'alter table contracts drop constraint contracts_folio_unique', /add constraint "contracts_folio_unique" unique/],
  ['partial unique index', 'drop index contracts_external_id_unique', /create unique index "contracts_external_id_unique"/],
  ['unique key of Idempotency-Keys', 'alter table idempotency_keys drop constraint idempotency_keys_unique', /idempotency_keys_unique unique nulls not distinct/]
]

t.test('missing walls are detected, and MikroORM\'s schema update restores them', async (t) => {
  const { orm, differences } = await openCompared(t)
  for (const [, harm] of walls) await orm.em.execute(harm)
  const found = await differences()
  for (const [name, , sql] of walls) t.ok(found.some(statement => sql.test(statement)), name)
  await orm.schema.update()
  t.strictSame(await differences(), [])
})

t.test('a disabled trigger is detected only by obra doctor', async (t) => {
  const { orm, differences } = await openCompared(t)
  await orm.em.execute('alter table contracts disable trigger revision_update')
  t.strictSame(await differences(), [])
  t.match(await examineTriggers(async <R extends object>(sql: string) => await orm.em.execute<R[]>(sql)), [{ outcome: 'failed', message: /triggers of contracts are disabled/ }])
})
