import t from 'tap'
import { entities, companyResources as resources } from '../../../src/domain/entities/index.ts'
import { companyRevisionOf } from '../../../src/domain/entities/company-revision.ts'
import { draftMigration } from '../../../src/cli/draft-migration.ts'
import { openCompared } from '../../support/compared.ts'
import { migration } from '../../fourth-resource/migration.ts'
import { contracts } from '../../../src/domain/contracts/resource.ts'
import { defineResource } from '../../../src/domain/define.ts'
import { reference, text } from '../../../src/resources/declaration/fields.ts'
import { almacenes } from '../../fourth-resource/resource.ts'
import type { Orm } from '../../../src/database/connection/orm.ts'
import { load } from '../../../src/database/schema/load.ts'
import { declaredBy } from '../../../src/database/schema/declared.ts'

async function loadInto (orm: Orm, described: ReadonlyArray<typeof entities[number]>): Promise<void> {
  await load(async <R extends object>(sql: string) => await orm.em.execute<R[]>(sql), declaredBy(described.map(({ meta }) => meta)))
}

t.test('the draft for a new resource makes the database match its declaration', async (t) => {
  const { orm, differencesWith } = await openCompared(t)
  const four = [...resources, almacenes]
  const described = [...entities.filter(({ meta }) => meta.name !== 'CompanyRevision'), companyRevisionOf(four.map(({ name }) => name)), almacenes.entity]
  const draft = draftMigration(await differencesWith(described), four)
  for (const statement of draft) await orm.em.execute(statement)
  await loadInto(orm, described)
  t.strictSame(await differencesWith(described), [])
  t.strictSame(draft, migration, 'the draft equals the migration of the example')
})

t.test('the draft for changed search columns rebuilds the search index with its reference', async (t) => {
  const { orm, differencesWith } = await openCompared(t)
  await orm.em.execute('alter table contracts drop column busqueda, add column busqueda text generated always as (search_text(folio)) stored not null')
  await orm.em.execute("call keep_search_of('contracts', 'contraparte_id', 'contrapartes')")
  const draft = draftMigration(await differencesWith(entities), resources)
  t.strictSame(draft.map(statement => statement.split(' ')[0]), ['alter', 'alter', 'call'], 'the policies stay')
  t.equal(draft.at(-1), "call keep_search_of('contracts', 'contraparte_id', 'contrapartes')")
  for (const statement of draft) await orm.em.execute(statement)
  t.strictSame(await differencesWith(entities), [])
  t.strictSame(await orm.em.execute("select reference, referred from search_resources where name = 'contracts'"), [{ reference: 'contraparte_id', referred: 'contrapartes' }])
})

t.test('the draft for a resource that stops being searched removes its search index', async (t) => {
  const { orm, differencesWith } = await openCompared(t)
  for (const statement of migration) await orm.em.execute(statement)
  await loadInto(orm, [...entities, almacenes.entity])
  const silent = defineResource({
    name: 'almacenes',
    title: 'Almacen',
    one: 'a warehouse',
    many: 'warehouses',
    spanish: { one: 'un almacén', many: 'almacenes' },
    fields: { clave: text(20).required().unique(), direccion: text(500).default(''), contract: reference(contracts, 'folio').nullable() },
    search: { columns: [] }
  })
  const four = [...resources, silent]
  const described = [...entities.filter(({ meta }) => meta.name !== 'CompanyRevision'), companyRevisionOf(four.map(({ name }) => name)), silent.entity]
  const draft = draftMigration(await differencesWith(described), four)
  t.equal(draft[0], "call drop_search_of('almacenes')")
  for (const statement of draft) await orm.em.execute(statement)
  t.strictSame(await differencesWith(described), [])
  t.strictSame(await orm.em.execute("select name from search_resources where name = 'almacenes'"), [])
  t.strictSame(await orm.em.execute("select to_regclass('search.almacenes')::text as search, has_any_column_privilege('obra_search', 'almacenes', 'select') as readable"), [{ search: null, readable: false }])
})
