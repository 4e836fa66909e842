import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { environment, type Environment } from './machine.ts'

/** Which bench a run is of. */
export type Bench = 'workloads' | 'peers' | 'growth'

/** A run as it is kept: what it found, when, and what it is of. */
export type Kept<Run> = Run & Environment & {
  /** ISO 8601. */
  at: string
}

/** Where runs are kept, a JSON file each. */
export const results = join(import.meta.dirname, 'results')

/** Keeps a run. @returns the file's path */
export function keep (bench: Bench, run: object, at = new Date()): string {
  mkdirSync(results, { recursive: true })
  const file = join(results, `${bench}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ at, ...environment(), ...run }, null, 2)}\n`)
  return relative(process.cwd(), file)
}

/** The last run of a bench that is kept in a folder; undefined when there is none. */
export function lastKept<Run> (bench: Bench, folder = results): Kept<Run> | undefined {
  const last = globSync(`${bench}-*.json`, { cwd: folder }).sort().at(-1)
  return last === undefined ? undefined : JSON.parse(readFileSync(join(folder, last), 'utf8')) as Kept<Run>
}
