import { parseArgs } from 'node:util'

/** What a run is asked for. */
export interface Options {
  /** Seconds that each workload is measured. */
  duration: number
  /** Connections at once, where the workload does not have fewer. */
  connections: number
  /** Names of the workloads to run, all of them when undefined. */
  only?: string[]
  /** Take the embedded database although PostgreSQL is there. */
  embedded: boolean
  /** Leave the seeded database for the next run that says `--keep`, and take the one that such a run has left. */
  keep: boolean
}

/**
 * Reads the command line.
 * @param names the workloads that there are
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
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  const only = values.only?.split(',').map(name => name.trim()).filter(Boolean)
  const unknown = only?.find(name => !names.includes(name))
  if (unknown !== undefined) throw new Error(`no workload ${unknown}: there are ${names.join(', ')}`)
  return {
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

/** What `--help` says. */
export function help (workloads: Array<{ name: string, about: string }>): string {
  return `node bench/index.ts [options]

Measures the server against a bare Fastify route, with a server process and a seeded database of its own. PostgreSQL is
that of DATABASE_URL, else the one at ${defaultPostgres}, else the embedded one.

  --duration SECONDS   of each workload, after its warm-up (8)
  --connections N      at once (64)
  --only NAME,NAME     these workloads alone
  --embedded           take the embedded database although PostgreSQL is there
  --keep               leave the seeded PostgreSQL database for the next run with --keep, or take the one that is left

Workloads:
${workloads.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}
`
}

/** Where PostgreSQL is looked for without DATABASE_URL. */
export const defaultPostgres = 'postgres://postgres@127.0.0.1:5432/postgres'
