import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { demoPassword } from '../../src/domain/demo/data.ts'
import { demoPlace, nodeOptions, root, withoutTap } from '../support/process.ts'

const page = readFileSync(join(root, 'docs/guides/add-a-field.md'), 'utf8')
const [field, search] = [...page.matchAll(/ {3}```ts\n([\s\S]*?) {3}```/g)].map(([, code]) => code) as [string, string]
const statements = (/ {3}```sql\n([\s\S]*?) {3}```/.exec(page)?.[1] as string).trim().split(/;\s*/).filter(Boolean)

/** Sends requests that use the field. */
const trial = `
import { loadConfig } from './src/config.ts'
import { migrate } from './src/server/migrate.ts'
import { openAsOwner, openDatabase } from './src/server/open-database.ts'
import { buildServer } from './src/server/fastify.ts'

const config = { ...loadConfig(process.env), JWT_SECRET: 'a secret of the tests, 32 bytes or more', LOG_LEVEL: 'silent' }
const owned = await openAsOwner(config)
await migrate(owned.orm)
const differences = await owned.orm.schema.getUpdateSchemaSQL({ wrap: false })
await owned.close()
const database = await openDatabase(config, 'refuse')
const app = await buildServer({ config, database })
const log = await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'director@demo.example', password: '${demoPassword}' } })
const send = async (method, url, payload) => (await app.inject({ method, url: '/api/v1/' + url, payload, headers: { authorization: 'Bearer ' + log.json().access } })).json()
const made = await send('POST', 'contracts/', { folio: 'CAMPO-1', responsable: ' Íñigo Peña ' })
const long = await send('POST', 'contracts/', { folio: 'CAMPO-2', responsable: 'x'.repeat(201) })
const folios = async (query) => (await send('GET', 'contracts/?' + query)).results.map(({ folio }) => folio)
const found = {
  differences,
  made: made.responsable,
  long: long.errors,
  changed: (await send('PATCH', 'contracts/' + made.id + '/', { responsable: 'Zoe' })).responsable,
  filtered: await folios('responsable=Zoe'),
  searched: await folios('search=zoe'),
  last: (await folios('ordering=-responsable'))[0]
}
console.log(JSON.stringify(found))
await app.close()
`

t.test('the page adds a field to contracts', async (t) => {
  const { dir, dataDir, env } = await demoPlace(t)
  for (const name of ['src', 'plugins', 'routes', 'docs/examples', 'mikro-orm.config.ts', 'package.json', 'package-lock.json']) cpSync(join(root, name), join(dir, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  const edit = (file: string, find: RegExp, put: (found: string) => string) => {
    const text = readFileSync(join(dir, file), 'utf8')
    if (!find.test(text)) throw new Error(`${file} has no ${find.source}`)
    writeFileSync(join(dir, file), text.replace(find, put))
  }
  edit('src/domain/contracts/fields.ts', /^ {2}descripcion: text/m, found => `${field}${found}`)
  edit('src/domain/contracts/resource.ts', /^ {2}search: .*$/m, () => search)
  writeFileSync(join(dir, 'src/database/migrations/migration-99-field.ts'),
    `import { Migration } from '@mikro-orm/migrations'\n\nexport class Field extends Migration {\n  override up (): void {\n${statements.map(sql => `    this.addSql(${JSON.stringify(sql)})\n`).join('')}  }\n}\n`)
  writeFileSync(join(dir, 'trial.ts'), trial)

  const { stdout } = await promisify(execFile)(...withoutTap(process.execPath, [...nodeOptions, 'trial.ts']), { cwd: dir, env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env } })
  t.strictSame(JSON.parse(stdout), {
    differences: '',
    made: 'Íñigo Peña',
    long: { responsable: ['Ensure this field has no more than 200 characters.'] },
    changed: 'Zoe',
    filtered: ['CAMPO-1'],
    searched: ['CAMPO-1'],
    last: 'CAMPO-1'
  })
})
