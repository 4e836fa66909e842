import { parseArgs } from 'node:util'

/** Options of a run. */
export interface Options {
  /** Seconds of each measurement. */
  duration: number
  /** Concurrent connections, if the workload does not set fewer. */
  connections: number
  /** Names of what to run; undefined for all. */
  only?: string[]
  /** Use the embedded database even if PostgreSQL answers. */
  embedded: boolean
  /** Write a flame graph of each workload. */
  profile: boolean
  /** Order of the companies' rows on disk: interleaved, as in a database that has grown, or clustered by company. */
  layout: 'interleaved' | 'clustered'
  /** URL of a running server to measure, instead of one on a seeded database. */
  against?: string
  /** Emails of the accounts that use it. */
  users: string[]
  /** Keep the seeded database for the next run with `--keep`, and reuse a kept one. */
  keep: boolean
}

/**
 * Reads the command line.
 * @param names valid names for `--only`
 * @returns undefined for `--help` @throws {Error} if an option is invalid
 */
export function readOptions (names: string[], args = process.argv.slice(2)): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      duration: { type: 'string', default: '10' },
      connections: { type: 'string', default: '64' },
      only: { type: 'string' },
      embedded: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      layout: { type: 'string', default: 'interleaved' },
      keep: { type: 'boolean', default: false },
      against: { type: 'string' },
      users: { type: 'string', default: 'director@demo.example' },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  const { layout } = values
  if (layout !== 'interleaved' && layout !== 'clustered') throw new Error('--layout must be interleaved or clustered')
  return {
    layout,
    profile: values.profile,
    duration: whole('duration', values.duration, 60),
    connections: whole('connections', values.connections, 1000),
    only: namesIn(values.only, names),
    embedded: values.embedded,
    keep: values.keep,
    against: values.against,
    users: values.users.split(',')
  }
}

/** Parses the value of an option. @throws {Error} if it is not an integer within the bounds */
export function whole (name: string, value: string, most: number, least = 1): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < least || number > most) throw new Error(`--${name} must be an integer from ${least} to ${most}`)
  return number
}

/** Parses the value of `--only`. @param what the kind of name, for the error @throws {Error} if a name is unknown */
export function namesIn (list: string | undefined, known: string[], what = 'name'): string[] | undefined {
  const names = list?.split(',').map(name => name.trim()).filter(Boolean)
  const unknown = names?.find(name => !known.includes(name))
  if (unknown !== undefined) throw new Error(`unknown ${what} ${unknown}: use ${known.join(', ')}`)
  return names
}

/** A name for `--only`, with its description. */
interface HelpEntry {
  name: string
  about: string
}

/** The text of `--help`: the script, its description, its own options, and the names for `--only` by kind. */
export function help (script: string, about: string, own: string[], kinds: Record<string, readonly HelpEntry[]>): string {
  return `node ${script} [options]

${about} Uses the PostgreSQL of DATABASE_URL,
by default the one at ${defaultPostgres}.

  --duration SECONDS   of each workload, after its warm-up (10)
  --connections N      concurrent connections (64)
  --only NAME,NAME     run only these
  --layout LAYOUT      order of the rows on PostgreSQL's disk: interleaved or clustered by company (interleaved)
  --keep               keep the seeded PostgreSQL database for the next run with --keep, or reuse a kept one
${own.map(line => `  ${line}\n`).join('')}
${Object.entries(kinds).map(([kind, all]) => `${kind}:\n${all.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}\n`).join('\n')}`
}

/** The PostgreSQL that is used without DATABASE_URL. */
export const defaultPostgres = 'postgres://postgres@127.0.0.1:5432/postgres'
