import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { byIndex } from '../by-index.ts'

/** The present text of a function or procedure: its overloads, settings and rights. */
export interface Routine {
  /** Its name, with the schema unless that is `public`. */
  name: string
  /** Where the text is: a file, or the declaration of a table. */
  origin: string
  sql: string
  /** Number of overloads. */
  overloads: number
  hash: string
}

const root = join(import.meta.dirname, '../..')
const created = /^create or replace (?:function|procedure) ((?:search\.)?\w+)\s*\(/gm

/** All functions and procedures that have a file. They need no last term of the order: see `unsorted`. */
export const filed: readonly Routine[] = globSync('**/*.sql', { cwd: root, exclude: ['database/migrations/**'] }).sort().map((path) => {
  const name = path.replace(/^.*\/|\.sql$/g, '').replaceAll('-', '_')
  return routineOf(name, byIndex(readFileSync(join(root, path), 'utf8'), ''), `src/${path}`)
})

/**
 * A function or procedure from its text.
 * @param name without the schema
 * @throws {Error} if the text defines something else
 */
export function routineOf (name: string, sql: string, origin: string): Routine {
  const names = [...sql.matchAll(created)].map(([, name]) => name)
  const [first = ''] = names
  if (names.some(other => other !== first) || first.replace('search.', '') !== name) {
    throw new Error(`${origin} must define \`create or replace function ${name}\`, and nothing else`)
  }
  return { name: first, origin, sql, overloads: names.length, hash: hashOf(sql) }
}

/** A short text that differs for other texts. */
export function hashOf (text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** A body in standard SQL is resolved when it is created, so the functions that it calls come first. Other bodies can form a circle. */
export function inOrder (routines: readonly Routine[]): Routine[] {
  const ordered = new Set<Routine>()
  const begun = new Set<Routine>()
  const add = (routine: Routine): void => {
    if (begun.has(routine)) return
    begun.add(routine)
    const words = new Set(routine.sql.match(/\w+/g))
    for (const other of routines) if (other !== routine && words.has(other.name.replace('search.', ''))) add(other)
    ordered.add(routine)
  }
  routines.forEach(add)
  return [...ordered]
}
