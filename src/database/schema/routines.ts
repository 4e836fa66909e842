import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file with the present text of a function or procedure: its overloads, settings and rights. */
export interface RoutineFile {
  /** Its name, with the schema unless that is `public`. */
  name: string
  /** The file, from `src/` on. */
  path: string
  sql: string
  /** Number of overloads. */
  overloads: number
  hash: string
}

const root = join(import.meta.dirname, '../..')
const created = /^create or replace (?:function|procedure) ((?:search\.)?\w+)\s*\(/gm

const files = globSync('**/*.sql', { cwd: root, exclude: ['database/migrations/**'] }).sort()

/** All functions and procedures that are written by hand. A file comes after the files of functions that it names. */
export const routines: readonly RoutineFile[] = inOrder(files.map(read))

/**
 * The name under which a database has noted, among its migrations, that these files were loaded. A database that has it, and perhaps later
 * ones, has all that this release needs.
 */
export const routinesVersion = `routines-${hashOf(routines.map(({ name, hash }) => `${name} ${hash}`).sort().join('\n')).slice(0, 16)}`

/** Whether a name in the table of migrations notes that files were loaded. */
export function isLoad (name: string): boolean {
  return name.startsWith('routines-')
}

/** @throws {Error} if the file defines something else than its name says */
function read (path: string): RoutineFile {
  const sql = readFileSync(join(root, path), 'utf8')
  const names = [...sql.matchAll(created)].map(([, name]) => name as string)
  const [name = ''] = names
  const expected = path.replace(/^.*\/|\.sql$/g, '').replaceAll('-', '_')
  if (names.some(other => other !== name) || name.replace('search.', '') !== expected) {
    throw new Error(`src/${path} must define \`create or replace function ${expected}\`, and nothing else`)
  }
  return { name, path, sql, overloads: names.length, hash: hashOf(sql) }
}

function hashOf (text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** A body in standard SQL is resolved when it is created, so the functions that it calls come first. Other bodies can form a circle. */
function inOrder (files: RoutineFile[]): RoutineFile[] {
  const ordered = new Set<RoutineFile>()
  const begun = new Set<RoutineFile>()
  const add = (file: RoutineFile): void => {
    if (begun.has(file)) return
    begun.add(file)
    const words = new Set(file.sql.match(/\w+/g))
    for (const other of files) if (other !== file && words.has(other.name.replace('search.', ''))) add(other)
    ordered.add(file)
  }
  files.forEach(add)
  return [...ordered]
}
