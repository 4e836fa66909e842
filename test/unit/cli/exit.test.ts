import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { demoPlace, obra, root, run, type Place } from '../../support/process.ts'
import { parse } from './parse.ts'

/** DATA_DIR is a file: a command that opens the database fails. */
const nowhere: Place = { dir: root, dataDir: '', env: { DATA_DIR: join(root, 'package.json') } }

t.test("the package's command is executable and ends with 0", async (t) => {
  const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const path = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }
  t.match(await run(t, join(root, bin.obra), ['--version'], path), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test('wrong usage ends with 2', async (t) => {
  t.match(await obra(t, nowhere, ['migrate', '--force']), { code: 2, stdout: '', stderr: "error: unknown option '--force'\n(use --help for a list of commands and options)\n" })
})

t.test('a command that fails ends with 1 and one line', async (t) => {
  const { code, stdout, stderr } = await obra(t, nowhere, ['migrate'])
  t.strictSame([code, stdout], [1, ''])
  t.match(stderr, /^obra: [^\n]*package\.json[^\n]*\n$/)

  t.match((await parse(['seed'], { NODE_ENV: 'production', DATABASE_URL: 'embedded' })).error, { message: 'NODE_ENV is production: pass --yes to seed it' })
  t.match((await parse(['migrate'], { PORT: 'x', LOG_LEVEL: 'x' })).error, { message: /^configuration: PORT must be integer; LOG_LEVEL must be one of/ })
})

t.test('in production, a command that opens the database refuses without DATABASE_URL, and creates and reads none', async (t) => {
  const place = await demoPlace(t)
  const foldersNow = () => existsSync(place.dataDir) ? readdirSync(place.dataDir) : []
  const [folders, files] = [foldersNow(), readdirSync(place.dir)]
  const required = /^obra: configuration: DATABASE_URL is required in production: set the URL of PostgreSQL, or `embedded` for the embedded database in DATA_DIR\n$/
  const unnamed = { NODE_ENV: 'production', DATABASE_URL: '' }
  for (const args of [['backup', 'obra.backup'], ['migrate'], ['restore', 'env'], ['list-sessions'], ['purge'], ['create-customer', 'Obra']]) {
    writeFileSync(join(place.dir, 'env'), '')
    t.match(await obra(t, place, args, unnamed), { code: 1, stdout: '', stderr: required }, args.join(' '))
  }
  t.match(await obra(t, place, ['doctor'], unnamed), { code: 1, stdout: /^failed +configuration +DATABASE_URL is required in production/m })
  t.same(foldersNow(), folders)
  t.same(readdirSync(place.dir).sort(), [...files, 'env'].sort())
})

t.test('a closed pipe ends the command without an error message', async (t) => {
  const command = `set -o pipefail; '${process.execPath}' '${join(root, 'src/cli/obra.ts')}' openapi | head -c 1`
  t.match(await run(t, 'bash', ['-c', command]), { code: 141, stdout: '{', stderr: '' })
})
