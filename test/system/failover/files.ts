import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const documented = join(import.meta.dirname, '../../../docs/deploy')

/** The first three numbers of addresses: in the files of `docs/deploy/`, and here. All of 127.0.0.0/8 is loopback. */
const network = { documented: '10.0.0.', here: '127.77.0.' }

/** Names of the database machines, as in the files. */
export const names = ['db1', 'db2', 'db3']

/** The address of a machine. Database machines have 1 to 3, those of the servers 4 and 5. */
export function addressOf (number: number): string {
  return `${network.here}${number}`
}

/** The text of a file of `docs/deploy/`, with the addresses of the trial. */
export function deployed (file: string): string {
  return readFileSync(join(documented, file), 'utf8').replaceAll(network.documented, network.here)
}

/**
 * The variables in an environment file of the first database machine, for a database machine of the trial.
 * @param number of the machine, from 1
 * @param folders each folder in the file, and that of the trial
 */
export function variablesOf (file: string, number: number, folders: Record<string, string>): Record<string, string> {
  const lines = deployed(file).split('\n').filter(line => /^\w+=/.test(line))
  return Object.fromEntries(lines.map((line): [string, string] => {
    const [name, value] = [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]
    // Values that also name the second machine list all of them.
    const own = value.includes(addressOf(2)) ? value : value.replaceAll(addressOf(1), addressOf(number)).replace(/^db1$/, `db${number}`)
    return [name, Object.entries(folders).reduce((text, [from, to]) => text.replace(from, to), own)]
  }))
}

/** Writes a file of `docs/deploy/` into a folder. @param changes replacements of texts, all in the file @returns its path */
export function install (file: string, folder: string, changes: Record<string, string> = {}): string {
  let text = deployed(file)
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  mkdirSync(folder, { recursive: true })
  const path = join(folder, file)
  writeFileSync(path, text)
  return path
}
