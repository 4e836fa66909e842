import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { environment } from '../src/trial/machine.ts'

/** The bench of a run. */
export type Bench = 'workloads' | 'peers' | 'growth'

/** The folder of stored runs, one JSON file each. */
const results = join(import.meta.dirname, 'results')

/** Stores a run. @returns the path of the file */
export function keep (bench: Bench, run: object, at = new Date()): string {
  mkdirSync(results, { recursive: true })
  const file = join(results, `${bench}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ at, ...environment(), ...run }, null, 2)}\n`)
  return relative(process.cwd(), file)
}
