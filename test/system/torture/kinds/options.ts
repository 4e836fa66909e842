import { parseArgs } from 'node:util'
import { defaultPostgres, whole } from '../../../../bench/options.ts'
import type { Kind } from './kinds.ts'

/** What a run is asked for. */
export interface Options {
  /** Times that the server is killed, on each kind of database. */
  kills: number
  /** Times of each outage. */
  outages: number
  /** Length of an outage. */
  seconds: number
  /** Connections that idle, and as many whose request never ends. */
  connections: number
  /** Of the steady load. */
  minutes: number
  /** Of those who compete for the same records. */
  acts: number
  /** Requests by chance. */
  shots: number
  /** Requests over sockets whose framing is spoilt by chance. */
  framings: number
  /** Requests of each kind whose times are compared. */
  rounds: number
  /** What chance begins with: the same one makes the same choices, though not at the same moments. */
  seed: number
  /** Names of the kinds to run, all of them when undefined. */
  only?: string[]
}

/** Reads the command line. @returns undefined when help is asked for @throws {Error} saying which option is wrong */
export function readOptions (names: string[], args = process.argv.slice(2)): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '50' },
      outages: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '1' },
      connections: { type: 'string', default: '5000' },
      minutes: { type: 'string', default: '10' },
      acts: { type: 'string', default: '40000' },
      shots: { type: 'string', default: '100000' },
      framings: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '3000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  const only = values.only?.split(',').map(name => name.trim()).filter(Boolean)
  const unknown = only?.find(name => !names.includes(name))
  if (unknown !== undefined) throw new Error(`no ${unknown}: there are ${names.join(', ')}`)
  return {
    kills: whole('kills', values.kills, 100_000),
    outages: whole('outages', values.outages, 100_000),
    seconds: whole('seconds', values.seconds, 600),
    connections: whole('connections', values.connections, 20_000),
    minutes: whole('minutes', values.minutes, 1440),
    acts: whole('acts', values.acts, 10_000_000),
    shots: whole('shots', values.shots, 10_000_000),
    framings: whole('framings', values.framings, 10_000_000),
    rounds: whole('rounds', values.rounds, 1_000_000, 100),
    seed: whole('seed', values.seed, 1_000_000_000, 0),
    only
  }
}

/** What `--help` says. */
export function help (kinds: readonly Kind[]): string {
  return `node test/system/torture/run.ts [options]

Ill-treats a server and its database while others write, then compares what was acknowledged with what is there; attacks it, and tells what that found.
Prints one table, as Markdown: what was done, how often, what came of it, and what was lost or found. Ends with 1 when anything was, when a rule of the
database is broken, and when nothing could be run at all. What cannot be run here has a row that says why. The PostgreSQL is that of DATABASE_URL,
by default the one at ${defaultPostgres}.

  --kills N         times that the server is killed, on each kind of database (50)
  --outages N       times of each outage (20)
  --seconds N       length of an outage (1)
  --connections N   idle ones, and as many whose request never ends (5000); this process needs twice as many open files
  --minutes N       of the steady load (10)
  --acts N          of those who compete for the same records (40000)
  --shots N         requests by chance (100000)
  --framings N      requests over sockets with their framing spoilt by chance (20000)
  --rounds N        requests of each kind whose times are compared (3000)
  --seed N          what chance begins with (the clock's; told in the first line)
  --only KIND,KIND  these alone

Kinds:
${kinds.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}
`
}
