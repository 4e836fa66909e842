import { globSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const shards = 6
const root = join(import.meta.dirname, '..')

/**
 * Runs every sixth test file, one after the other, in this process: a process a file would spend more on starting than on testing.
 * Each file has its own databases, which end with it; by itself it runs just as well. One that changes modules for the whole process is
 * named `*.alone.test.ts` and has a process of its own.
 */
export async function runShard (number: number): Promise<void> {
  const files = globSync('**/*.test.ts', { cwd: root, exclude: ['**/*.alone.test.ts'] }).sort()
  for (const file of files.filter((_, index) => index % shards === number - 1)) {
    const ends: Array<() => unknown> = []
    // What a file wants done at the end of all tests is done at the end of its own; tap would take it for a sign that all is over.
    Object.assign(t, { teardown: (end: () => unknown) => ends.unshift(end) })
    await import(join(root, file))
    await t.test(`${file} ends`, async () => {
      for (const end of ends) await end()
    })
  }
}
