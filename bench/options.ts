import { parseArgs } from 'node:util'

/** What a run is asked for. */
export interface Options {
  /** Seconds that each workload is measured. */
  duration: number
  /** Connections at once, where the workload does not have fewer. */
  connections: number
  /** Names of what to run, all of it when undefined. */
  only?: string[]
  /** Take the embedded database although PostgreSQL is there. */
  embedded: boolean
  /** Write a flame graph of each workload. */
  profile: boolean
  /** How the companies' rows lie on disk: between each other's, as in a database that has grown, or each company's together. */
  layout: 'interleaved' | 'clustered'
  /** Leave the seeded database for the next run that says `--keep`, and take the one that such a run has left. */
  keep: boolean
}

/**
 * Reads the command line.
 * @param names what `--only` can name
 * @returns undefined when help is asked for @throws {Error} saying which option is wrong
 */
export function readOptions (names: string[], args = process.argv.slice(2)): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      duration: { type: 'string', default: '8' },
      connections: { type: 'string', default: '64' },
      only: { type: 'string' },
      embedded: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      layout: { type: 'string', default: 'interleaved' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  const only = values.only?.split(',').map(name => name.trim()).filter(Boolean)
  const unknown = only?.find(name => !names.includes(name))
  if (unknown !== undefined) throw new Error(`no ${unknown}: there are ${names.join(', ')}`)
  const { layout } = values
  if (layout !== 'interleaved' && layout !== 'clustered') throw new Error('--layout is interleaved or clustered')
  return {
    layout,
    profile: values.profile,
    duration: whole('duration', values.duration, 60),
    connections: whole('connections', values.connections, 1000),
    only,
    embedded: values.embedded,
    keep: values.keep
  }
}

/** An option's value as a number. @throws {Error} when it is not a whole one within the bounds */
export function whole (name: string, value: string, most: number, least = 1): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < least || number > most) throw new Error(`--${name} is a whole number from ${least} to ${most}`)
  return number
}

/** A name for `--only`, and what it stands for. */
interface Named {
  name: string
  about: string
}

/** What `--help` says: the script, what it does, options of its own, and what `--only` can name, by its kind. */
export function help (script: string, about: string, own: string[], kinds: Record<string, readonly Named[]>): string {
  return `node ${script} [options]

${about} The PostgreSQL is that of DATABASE_URL,
by default the one at ${defaultPostgres}.

  --duration SECONDS   of each workload, after its warm-up (8)
  --connections N      at once (64)
  --only NAME,NAME     these alone
  --layout LAYOUT      of the rows on PostgreSQL's disk: interleaved, as they grow, or clustered by company (interleaved)
  --keep               leave the seeded PostgreSQL database for the next run with --keep, or take the one that is left
${own.map(line => `  ${line}\n`).join('')}
${Object.entries(kinds).map(([kind, all]) => `${kind}:\n${all.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}\n`).join('\n')}`
}

/** Where PostgreSQL is looked for without DATABASE_URL. */
export const defaultPostgres = 'postgres://postgres@127.0.0.1:5432/postgres'
