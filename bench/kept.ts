import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { environment, type Environment } from '../src/trial/machine.ts'

/** The bench of a run. */
export type Bench = 'workloads' | 'peers' | 'growth'

/** A stored run: its results, time and environment. */
export type Kept<Run> = Run & Environment & {
  /** ISO 8601. */
  at: string
}

/** The folder of stored runs, one JSON file each. */
export const results = join(import.meta.dirname, 'results')

/** Stores a run. @returns the path of the file */
export function keep (bench: Bench, run: object, at = new Date()): string {
  mkdirSync(results, { recursive: true })
  const file = join(results, `${bench}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ at, ...environment(), ...run }, null, 2)}\n`)
  return relative(process.cwd(), file)
}

/** The last stored run of a bench; undefined if there is none. */
export function lastKept<Run> (bench: Bench, folder = results): Kept<Run> | undefined {
  const last = globSync(`${bench}-*.json`, { cwd: folder }).sort().at(-1)
  return last === undefined ? undefined : JSON.parse(readFileSync(join(folder, last), 'utf8')) as Kept<Run>
}
