import { parseArgs } from 'node:util'
import { whole } from '../options.ts'

/** What a run is asked for. */
export interface Options {
  /** Contracts in the one company of each database, from few to many. */
  sizes: number[]
  /** Requests of a kind to each size at most. */
  rounds: number
  /** Seconds that a kind may take at most, over all sizes. */
  seconds: number
  /** Names of the kinds to send, all of them when undefined. */
  only?: string[]
  /** Leave the seeded databases for the next run that says `--keep`, and take those that such a run has left. */
  keep: boolean
}

/**
 * Reads the command line.
 * @param names the kinds that there are
 * @returns undefined when help is asked for @throws {Error} saying which option is wrong
 */
export function readOptions (names: string[], args = process.argv.slice(2)): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '1000,10000,100000,1000000' },
      rounds: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '20' },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  const only = values.only?.split(',').map(name => name.trim()).filter(Boolean)
  const unknown = only?.find(name => !names.includes(name))
  if (unknown !== undefined) throw new Error(`no kind of request ${unknown}: there are ${names.join(', ')}`)
  return {
    sizes: values.sizes.split(',').map(size => whole('sizes', size, 10_000_000, leastSize)).sort((a, b) => a - b),
    rounds: whole('rounds', values.rounds, 100_000),
    seconds: whole('seconds', values.seconds, 3600),
    only,
    keep: values.keep
  }
}

/** Contracts that every kind of request finds enough in. */
const leastSize = 1000

/** What `--help` says. */
export function help (kinds: Array<{ name: string, about: string }>): string {
  return `node bench/growth.ts [options]

Measures how the cost of requests grows with the contracts in a company: one after the other on one connection, to a server for each size, in turn.
It wants PostgreSQL, that of DATABASE_URL or the usual one on this machine.

  --sizes N,N          contracts in one company, a database each (1000,10000,100000,1000000)
  --rounds N           requests of a kind to each size (200)
  --seconds N          that a kind takes at most, over all sizes (20)
  --only NAME,NAME     these kinds alone
  --keep               leave the seeded databases for the next run with --keep, or take those that are left

Kinds of requests:
${kinds.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}
`
}
