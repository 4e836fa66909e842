import './without-async-hooks.ts'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { usesDatabase } from './uses-database.ts'

const shards = globSync('shard-*.ts', { cwd: import.meta.dirname }).length
const root = join(import.meta.dirname, '..')

/**
 * Runs a share of the test files, one after the other, in this process: a process per file would spend more on starting than on testing.
 * Each file closes its databases, so it also runs by itself. A file that changes modules for the whole process is named `*.alone.test.ts`
 * and gets its own process.
 */
export async function runShard (number: number): Promise<void> {
  t.beforeEach((test) => {
    // tap keeps every test. Without its function, the server and database of the test can be collected.
    test.teardown(() => Object.assign(test, { cb: undefined, options: { ...test.options, cb: undefined } }))
  })
  // `t.teardown` of a file runs at the end of the file. tap would run it at the end of all files.
  const ends: Array<() => unknown> = []
  Object.assign(t, { teardown: (end: () => unknown) => ends.unshift(end) })
  const all = globSync('**/*.test.ts', { cwd: root, exclude: ['**/*.alone.test.ts', '**/node_modules/**'] }).sort()
  // The suite on the embedded database has run the others.
  const files = process.env['DATABASE_URL'] === undefined ? all : all.filter(file => usesDatabase(join(root, file)))
  t.comment(`${files.length} of ${all.length} files, by turns in ${shards} processes`)
  for (const file of files.filter((_, index) => index % shards === number - 1)) {
    await import(join(root, file))
    await t.test(`${file} ends`, async () => {
      for (const end of ends.splice(0)) await end()
    })
  }
}
