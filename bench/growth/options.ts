import { parseArgs } from 'node:util'
import { namesIn, whole } from '../../test/support/trial/options.ts'

/** Options of a run. */
export interface Options {
  /** Number of records in the company of each database, ascending. */
  sizes: number[]
  /** Maximum number of requests of a kind to each size. */
  rounds: number
  /** Time limit of a kind in seconds, over all sizes. */
  seconds: number
  /** Names of the kinds to send; undefined for all. */
  only?: string[]
  /** Keep the seeded databases for the next run with `--keep`, and reuse kept ones. */
  keep: boolean
}

/**
 * Reads the command line.
 * @param sizes by default
 * @param names of all kinds
 * @returns undefined for `--help` @throws {Error} if an option is invalid
 */
export function readOptions (sizes: string, names: string[], args = process.argv.slice(2)): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: sizes },
      rounds: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '20' },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  return {
    sizes: values.sizes.split(',').map(size => whole('sizes', size, 10_000_000, leastSize)).sort((a, b) => a - b),
    rounds: whole('rounds', values.rounds, 100_000),
    seconds: whole('seconds', values.seconds, 3600),
    only: namesIn(values.only, names, 'kind of request'),
    keep: values.keep
  }
}

/** The smallest size in which every kind of request finds enough records. */
const leastSize = 1000

/** The texts of `--help` in which the benches differ. */
export interface Usage {
  script: string
  about: string
  /** By default. */
  sizes: string
  /** What the sizes count. */
  many: string
}

/** The text of `--help`. */
export function help ({ script, about, sizes, many }: Usage, kinds: Array<{ name: string, about: string }>): string {
  return `node ${script} [options]

${about}
Sends one request at a time to a server for each size, in turn.
Needs PostgreSQL: that of DATABASE_URL, or the default one on this machine.

  --sizes N,N          ${many}, one database each (${sizes})
  --rounds N           requests of a kind to each size (200)
  --seconds N          time limit of a kind, over all sizes (20)
  --only NAME,NAME     run only these kinds
  --keep               keep the seeded databases for the next run with --keep, or reuse kept ones

Kinds of requests:
${kinds.map(({ name, about }) => `  ${name.padEnd(24)} ${about}`).join('\n')}
`
}
