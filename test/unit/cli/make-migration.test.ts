import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Databases } from '../../../src/cli/with-database.ts'
import { openEmptyDatabase } from '../../support/empty-database.ts'
import { newFolder, root } from '../../support/process.ts'
import { parse } from './parse.ts'

t.test('make-migration drafts the statements that the database lacks', async (t) => {
  const { orm } = await openEmptyDatabase(t)
  const databases = { asOwner: async work => await work({ kind: 'postgres', orm }) } as Databases
  const place = newFolder(t).dir
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  const dir = join(place, 'migrations')
  mkdirSync(dir)
  const run = async (...args: string[]) => await parse(['make-migration', ...args, '--folder', dir], {}, { databases })

  t.match(await run('x'), { out: '', error: { message: 'migrations are pending: run `obra migrate` first' } })
  await orm.migrator.up()
  t.match(await run('x'), { out: '', error: { message: 'the database already matches the declarations' } })
  t.match(await run('A B'), { out: '', error: { message: 'the name must be lower-case words joined by hyphens' } })
  t.strictSame(readdirSync(dir), [])

  await orm.em.execute('alter table contracts drop column descripcion cascade')
  const { out, error } = await run('descripcion-again')
  t.equal(error, undefined)
  const [file = ''] = readdirSync(dir)
  t.match(file, /^migration-\d+-descripcion-again\.ts$/)
  t.equal(out, `written to ${join(dir, file)}\n`)
  const [Migration] = Object.values(await import(join(dir, file)) as Record<string, new (...args: unknown[]) => { up: () => void, getQueries: () => unknown[] }>)
  const drafted = new Migration(orm.em.getDriver(), orm.config)
  drafted.up()
  const statements = (drafted.getQueries() as string[]).map(statement => statement.replaceAll(/\s+/g, ' ').trim())
  t.match(statements.join('\n'), /add(?: column)? "descripcion" varchar\(2000\) not null default ''/)
  t.equal(statements.at(-1), "call keep_search_of('contracts', 'contraparte_id', 'contrapartes')", 'the search index is rebuilt')
  t.match(readFileSync(join(dir, file), 'utf8'), /^import \{ Migration \} from '@mikro-orm\/migrations'\n\nexport class Migration\d+DescripcionAgain extends Migration \{/)
  t.match(await run('descripcion-again'), { error: { message: `${join(dir, file)} already exists` } })
  for (const statement of statements) await orm.em.execute(statement)
  t.match(await run('y'), { error: { message: 'the database already matches the declarations' } })
})
