import { ESLint } from 'eslint'
import t from 'tap'
import { migrationSource } from '../../../src/cli/migration-source.ts'
import { root } from '../../support/process.ts'
import { migration } from '../../fourth-resource/migration.ts'

const statements = [
  ...migration,
  'drop index a',
  "call keep_search_of('almacenes', 'contract_id', 'contracts')",
  "alter table \"a\" add \"b\" varchar(9) not null default '`$" + "{x}\\'",
  `comment on table "a" is '${'dos  espacios, '.repeat(20)}it''s'`,
  `create function f() returns text language sql as $f$\n  select 'x',\n    ${'1 + '.repeat(60)}1 $f$`
]

/** What a statement is apart from white space between its words. */
const words = (text: string) => text.replaceAll(/('(?:[^']|'')*')|\s+/g, (_, string?: string) => string ?? ' ').trim()

t.test('the code of a migration passes lint, has short lines and runs the same statements', async (t) => {
  const source = migrationSource(99, 'lines-of-contracts', statements)
  const [result] = await new ESLint({ cwd: root }).lintText(source, { filePath: 'src/database/migrations/migration-99-lines-of-contracts.ts' })
  t.strictSame(result?.messages, [])
  t.match(source, /^export class Migration99LinesOfContracts extends Migration \{$/m)
  t.strictSame(source.split('\n').filter(line => line.length > 140 && !line.includes('dos  espacios') && !line.includes('1 + 1')), [])

  const ran: string[] = []
  const body = /override up \(\): void \{\n([\s\S]*)\n {2}\}\n\}\n$/.exec(source)?.[1] as string
  new Function(body).call({ addSql: (sql: string) => ran.push(sql) }) // eslint-disable-line no-new-func
  t.strictSame(ran.map(words), statements.map(words))
})
