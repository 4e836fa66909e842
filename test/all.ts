import { globSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

/**
 * Runs all test files in this process, one after the other: a process per file would spend more on starting than on testing. Each file
 * closes its databases, so it also runs by itself. A file that changes modules for the whole process is named `*.alone.test.ts` and gets its
 * own process.
 */

// tap follows every promise to name the test of an error thrown outside of it, which takes an eighth of the CPU time. The error fails the file without it too.
t.hookDomain.destroy()
t.beforeEach((test) => {
  test.hookDomain.destroy()
  // tap keeps every test. Without its function, the server and database of the test can be collected.
  test.teardown(() => Object.assign(test, { cb: undefined, options: { ...test.options, cb: undefined } }))
})
for (const file of globSync('**/*.test.ts', { cwd: import.meta.dirname, exclude: ['**/*.alone.test.ts'] }).sort()) {
  const ends: Array<() => unknown> = []
  // `t.teardown` of a file runs at the end of the file. tap would run it at the end of all files.
  Object.assign(t, { teardown: (end: () => unknown) => ends.unshift(end) })
  await import(join(import.meta.dirname, file))
  await t.test(`${file} ends`, async () => {
    for (const end of ends) await end()
  })
}
