import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file that opens the databases of tests. */
const databases = join(import.meta.dirname, '../support/template.ts')
if (!existsSync(databases)) throw new Error(`${databases} does not exist`)

/** The files that a file imports, without those of types. */
const imported = new Map<string, string[]>()

/** Whether a test file, or a file that it imports, opens databases. */
export function usesDatabase (file: string): boolean {
  const reached = new Set([file])
  for (const one of reached) for (const other of importsOf(one)) reached.add(other)
  return reached.has(databases)
}

function importsOf (file: string): string[] {
  const known = imported.get(file)
  if (known !== undefined) return known
  const statements = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^']*'(\.[^']+\.ts)'|\bimport\('(\.[^']+\.ts)'\)/gm)
  const files = [...statements].map(([, path, later]) => join(file, '..', path ?? later as string)).filter(path => existsSync(path))
  imported.set(file, files)
  return files
}
