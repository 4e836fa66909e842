import { parseArgs } from 'node:util'
import { namesIn, whole } from '../../test/support/trial/options.ts'
import { guarantees } from './guarantees.ts'

/** Options of a run. */
export interface Options {
  /** Number of turns of each comparison. */
  turns: number
  /** Concurrent connections to each server. */
  connections: number
  /** Names of the guarantees to measure; undefined for all. */
  only?: string[]
  /** Keep the seeded database for the next run with `--keep`, and reuse a kept one. */
  keep: boolean
}

/** Reads the command line. @returns undefined for `--help` @throws {Error} if an option is invalid */
export function readOptions (args = process.argv.slice(2)): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      turns: { type: 'string', default: '8' },
      connections: { type: 'string', default: '64' },
      only: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  return {
    turns: whole('turns', values.turns, 60),
    connections: whole('connections', values.connections, 1000),
    only: namesIn(values.only, guarantees.map(({ name }) => name), 'guarantee'),
    keep: values.keep
  }
}

/** The text of `--help`. */
export const help = `node bench/guarantees.ts [options]

Measures what each guarantee of the service costs: CPU time per request of a server with all guarantees, less that of a server without one,
in turns. The second server runs patched source on a changed copy of the database. Needs PostgreSQL on this machine: that of DATABASE_URL,
or the default one.

  --turns N            turns of each comparison, after a longer first one that does not count (8)
  --connections N      concurrent connections (64)
  --only NAME,NAME     measure only these
  --keep               keep the seeded database for the next run with --keep, or reuse a kept one

Guarantees:
${guarantees.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}
`
