import { randomBytes } from 'node:crypto'
import t from 'tap'
import { restore } from '../../../../src/cli/backup/restore.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { hasWallsOfMigrations } from './catalog.ts'
import { asOwnerOf, each, linesOfBackup } from './lines.ts'
import { sealed } from './sealed.ts'

t.test('a damaged backup restores nothing', async (t) => {
  const source = await openTestDatabase(t)
  await source.psql("insert into contracts (company_id, folio) values (1, 'RESPALDO-1')")
  const lines = await asOwnerOf(source, async orm => await linesOfBackup(t, orm))
  const head = JSON.parse(lines[0])
  const owner = `obra_test_owner_${randomBytes(4).toString('hex')}`
  const target = await openEmptyDatabase(t, owner)

  await t.test('incomplete, of another version, or with another checksum', async (t) => {
    await t.rejects(restore(target.orm, each(lines.slice(0, -1))), { message: 'the backup is incomplete: its end is missing' })
    await t.rejects(restore(target.orm, each([lines[0], '{"id":1}', ...lines.slice(1)])), { message: 'the backup is damaged' })
    await t.rejects(restore(target.orm, each(['{"some":"file"}'])), { message: 'the file is not an Obra backup' })
    await t.rejects(restore(target.orm, each([])), { message: 'the backup is incomplete: its end is missing' })
    await t.rejects(restore(target.orm, each([JSON.stringify({ ...head, migrations: [...head.migrations, '99-later'], version: '9.9.9' })])), { message: /newer Obra \(9\.9\.9\)/ })
    await t.rejects(restore(target.orm, each([JSON.stringify({ obra: 'backup', format: 3, version: '9.9.9' })])), { message: /newer Obra \(9\.9\.9\)/ }, 'also with another structure')
    await t.rejects(restore(target.orm, each([...lines, '{}'])), { message: 'the backup is damaged' }, 'lines after the end')
    await t.rejects(restore(target.orm, each(lines.map(line => line.replace('"RESPALDO-1"', '"RESPALDO-9"')))), { message: 'the backup is damaged: its checksum does not match' })
    const orphan = sealed(lines.slice(0, -1).map(line => line.replace('"folio":"RESPALDO-1","contraparte_id":null', '"folio":"RESPALDO-1","contraparte_id":1000000')))
    await t.rejects(restore(target.orm, each(orphan)), /foreign key/, 'a reference to a missing record')
  })

  await t.test('with tables, columns or sequences that its migrations do not create', async (t) => {
    const row = lines.findIndex(line => line.includes('"folio":"RESPALDO-1"'))
    const heading = lines.findIndex(line => line.startsWith('{"table":"contracts"'))
    const changed = (index: number, change: (line: any) => unknown) => lines.slice(0, -1).map((line, at) => at === index ? JSON.stringify(change(JSON.parse(line))) : line)
    const forged: Array<[string[], RegExp]> = [
      [changed(heading, head => ({ ...head, table: 'pg_authid' })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, table: 'pg_catalog.pg_authid' })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, table: 'mikro_orm_migrations' })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, table: 'search_resources' })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, table: 'contracts" (id) select 1; drop table contracts; --' })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, table: 'users' })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, columns: [...head.columns, 'busqueda'] })), /^the backup is damaged: "contracts" is not a table of its migrations, or its columns differ$/],
      [changed(heading, head => ({ ...head, columns: [...head.columns, 'id'] })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, columns: 'id' })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, rows: head.rows - 1 })), /^the backup is damaged$/],
      [changed(heading, head => ({ ...head, rows: -1 })), /^the backup is damaged$/],
      [changed(0, head => ({ ...head, rows: head.rows + 1 })), /^the backup is damaged$/],
      [changed(0, head => ({ ...head, migrations: [] })), /^the backup is damaged$/],
      [changed(0, head => ({ ...head, migrations: head.migrations.slice(0, 3) })), /^the backup is damaged: ".+" is not a table of its migrations, or its columns differ$/],
      [changed(row, record => ({ ...record, rolsuper: true })), /^the backup is damaged$/],
      [changed(row, record => [record]), /^the backup is damaged$/],
      [changed(row, () => null), /^the backup is damaged$/],
      [lines.slice(0, -1).toSpliced(row, 1, 'no JSON'), /^the backup is damaged$/],
      [lines.slice(0, -1).toSpliced(row, 1), /^the backup is (damaged|incomplete: its end is missing)$/],
      [changed(lines.length - 2, ({ sequences }) => ({ sequences: { ...sequences, mikro_orm_migrations_id_seq: 5 } })), /^the backup is damaged: "mikro_orm_migrations_id_seq" is not a sequence of its tables$/],
      [changed(lines.length - 2, ({ sequences }) => ({ sequences: { ...sequences, 'x"; drop table users; --': 5 } })), /^the backup is damaged: .* is not a sequence of its tables$/],
      [changed(lines.length - 2, ({ sequences }) => ({ sequences: { ...sequences, users_id_seq: '5' } })), /^the backup is damaged$/]
    ]
    for (const [index, [text, message]] of forged.entries()) {
      await t.rejects(restore(target.orm, each(sealed(text))), { message }, String(index))
    }
  })

  await t.test('changed between the check and the restore', async (t) => {
    const other = sealed(lines.slice(0, -1).map(line => line.replace('"RESPALDO-1"', '"RESPALDO-9"')))
    const readings = [each(lines), each(other)]
    await t.rejects(restore(target.orm, () => (readings.shift() as ReturnType<typeof each>)()), { message: 'the backup changed during the restore' })
  })

  t.strictSame(await target.orm.em.execute("select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'mikro_orm_migrations'"), [])

  t.strictSame(await restore(target.orm, each(lines)), { rows: head.rows, migrations: head.migrations }, 'the undamaged one can be restored afterwards')
  await hasWallsOfMigrations(t, target.orm, owner)
})
