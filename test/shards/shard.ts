import './without-async-hooks.ts'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, globSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { usesDatabase } from './uses-database.ts'

/** The run of tap, which is the parent of the shards. Without tap, a shard runs all files. */
const run = process.env['TAP_CHILD_ID'] === undefined ? randomUUID() : `${process.ppid}-${startOf(process.ppid)}`
const claims = join(tmpdir(), `obra-tests-${run}`)
const root = join(import.meta.dirname, '..')

/**
 * Runs test files one after the other in this process, each that no other shard has begun: a process per file would spend more on starting
 * than on testing, and with fixed shares the last shard would work alone for minutes.
 * Each file closes its databases, so it also runs by itself. A file that changes modules for the whole process is named `*.alone.test.ts`
 * and gets its own process.
 */
export async function runShard (): Promise<void> {
  const failed: string[] = []
  let current = ''
  t.beforeEach((test) => {
    test.teardown(() => {
      if (!test.passing()) failed.push(`${current}: ${test.fullname}`)
      // tap keeps every test. Without its function, the server and database of the test can be collected.
      Object.assign(test, { cb: undefined, options: { ...test.options, cb: undefined } })
    })
  })
  // `t.teardown` of a file runs at the end of the file. tap would run it at the end of all files.
  const ends: Array<() => unknown> = []
  Object.assign(t, { teardown: (end: () => unknown) => ends.unshift(end) })
  const all = globSync('**/*.test.ts', { cwd: root, exclude: ['**/*.alone.test.ts', '**/node_modules/**'] }).sort()
  // The suite on the embedded database has run the others.
  const files = process.env['DATABASE_URL'] === undefined ? all : all.filter(file => usesDatabase(join(root, file)))
  mkdirSync(claims, { recursive: true })
  t.comment(`${files.length} of ${all.length} files in all shards`)
  for (const file of files) {
    if (!claim(file)) continue
    current = file
    await import(join(root, file))
    await t.test(`${file} ends`, async () => {
      for (const end of ends.splice(0)) await end()
    })
  }
  // The last lines of a shard are what a short report of a run shows.
  for (const name of failed) t.comment(`failed in ${name}`)
}

/** Takes a test file for this process. @returns false if another shard of the run has it */
function claim (file: string): boolean {
  try {
    closeSync(openSync(join(claims, file.replaceAll('/', '_')), 'wx'))
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    throw error
  }
}

/** When a process has started, as a text: its number alone could be that of an earlier run. */
function startOf (pid: number): string {
  const stat = `/proc/${pid}/stat`
  const started = existsSync(stat)
    ? readFileSync(stat, 'utf8').replace(/^.*\) /s, '').split(' ')[19] // starttime, proc_pid_stat(5)
    : execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return String(started).trim().replaceAll(/\W+/g, '-')
}
