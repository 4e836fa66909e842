import t from 'tap'
import { entities, resources } from '../../../src/entities/index.ts'
import { companyRevisionOf } from '../../../src/entities/company-revision.ts'
import { draftMigration } from '../../../src/entities/draft-migration.ts'
import { openCompared } from '../../compared.ts'
import { migration } from '../../fourth-resource/migration.ts'
import { almacenes } from '../../fourth-resource/resource.ts'

t.test('the draft for a new resource makes the database as its declaration describes it', async (t) => {
  const { orm, differencesWith } = await openCompared(t)
  const four = [...resources, almacenes]
  const described = [...entities.filter(({ meta }) => meta.name !== 'CompanyRevision'), companyRevisionOf(four.map(({ name }) => name)), almacenes.entity]
  const draft = draftMigration(await differencesWith(described), four)
  for (const statement of draft) await orm.em.execute(statement)
  t.strictSame(await differencesWith(described), [])
  t.strictSame(draft, migration, 'it is the migration of the example')
})

t.test('a column that search covers is dropped with its index, which the draft makes again', async (t) => {
  const draft = draftMigration([
    'alter table "contracts" drop column "busqueda"',
    'alter table "contracts" add column "busqueda" text',
    'create index "contracts_search_index" on "contracts" using gin (search_lexemes(company_id, busqueda, contraparte_id)) with (gin_pending_list_limit = 1024)'
  ], resources)
  t.strictSame(draft, ['alter table "contracts" drop column "busqueda"', 'alter table "contracts" add column "busqueda" text', "call keep_search_of('contracts', 'contraparte_id', 'contrapartes')"])
})
