import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of an entry of the lockfile that the table uses. */
interface Entry {
  version: string
  license?: string
  dev?: boolean
  devOptional?: boolean
}

/** Packages whose manifest names no licence, with that of their files. */
const unnamed: Record<string, string> = { 'png-js': 'MIT' }

const lockfile = join(import.meta.dirname, '../../package-lock.json')

/** The packages of an installation without those for development, by licence, as a table of docs/reference/dependencies.md. */
export function licences (): string {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, Entry> }
  const byLicence = new Map<string, Set<string>>()
  for (const [path, { version, license, dev, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev === true || devOptional === true) continue
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = license ?? unnamed[name] ?? 'unknown'
    byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`${name} ${version}`))
  }
  const rows = [...byLicence].sort(([a], [b]) => a < b ? -1 : 1).map(([licence, names]) => `| ${licence} | ${names.size} | ${[...names].sort().join(', ')} |`)
  return ['| Licence | Packages | |', '|---|--:|---|', ...rows].join('\n')
}

if (import.meta.main) console.log(licences())
