import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { migrations } from '../../../../src/database/migrations/index.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { barePlace, environment, nodeOptions, withoutTap } from '../../../support/process.ts'
import { server } from '../../../support/template.ts'

const run = promisify(execFile)
const obra = join(import.meta.dirname, '../../../../src/cli/obra.ts')

t.test('processes that migrate one empty database concurrently run each migration once', async (t) => {
  const env = server === undefined ? { DATA_DIR: (await barePlace(t)).dataDir } : (await openEmptyDatabase(t)).env
  const migrate = async () => await run(...withoutTap(process.execPath, [...nodeOptions, obra, 'migrate', '--json']), { env: environment(env), timeout: 100_000 })
    .then(({ stdout }) => ({ migrated: JSON.parse(stdout).migrated as string[], stderr: '' }), (error: { stderr: string }) => ({ migrated: [] as string[], stderr: error.stderr }))

  const outcomes = await Promise.all([migrate(), migrate(), ...server === undefined ? [] : [migrate()]])
  t.same(outcomes.flatMap(({ migrated }) => migrated).sort(), migrations.map(({ name }) => name).sort(), 'every migration ran exactly once')
  for (const { stderr } of outcomes) {
    // Only one process can open the embedded database: the other one fails.
    if (server !== undefined || stderr !== '') t.match(stderr, server === undefined ? /^[^\n]*is open in another process[^\n]*\n$/ : /^$/)
  }
  t.same(await migrate(), { migrated: [], stderr: '' })
})
