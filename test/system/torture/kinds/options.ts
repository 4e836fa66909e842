import { parseArgs } from 'node:util'
import { defaultPostgres, namesIn, whole } from '../../../../src/trial/options.ts'
import type { Kind } from './kinds.ts'

/** Options of a run. */
export interface Options {
  /** Number of times that the server is killed, on each kind of database. */
  kills: number
  /** Repetitions of each outage. */
  outages: number
  /** Length of an outage in seconds. */
  seconds: number
  /** Number of idle connections, and of connections with an unfinished request. */
  connections: number
  /** Length of the steady load in minutes. */
  minutes: number
  /** Number of acts in histories. */
  acts: number
  /** Number of trials of synchronizing devices, on each kind of database. */
  syncs: number
  /** Number of trials of webhooks, on each kind of database. */
  webhooks: number
  /** Number of failures of a replicated database's leader. */
  failovers: number
  /** Commit of the release to upgrade from; undefined for the last one with an older migration. */
  from?: string
  /** Number of contracts in the database that is upgraded, besides the demo data. */
  contracts: number
  /** Number of random requests. */
  shots: number
  /** Number of requests with mutated framing. */
  framings: number
  /** Requests of each kind for the comparison of times. */
  rounds: number
  /** Seed of all random choices. The timing is not reproducible. */
  seed: number
  /** Names of the kinds to run; undefined runs all. */
  only?: string[]
}

/** Reads the command line. @returns undefined for `--help` @throws {Error} if an option is invalid */
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
      syncs: { type: 'string', default: '10' },
      webhooks: { type: 'string', default: '10' },
      failovers: { type: 'string', default: '20' },
      from: { type: 'string' },
      contracts: { type: 'string', default: '1000' },
      shots: { type: 'string', default: '100000' },
      framings: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '3000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      only: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) return undefined
  return {
    kills: whole('kills', values.kills, 100_000),
    outages: whole('outages', values.outages, 100_000),
    seconds: whole('seconds', values.seconds, 600),
    connections: whole('connections', values.connections, 20_000),
    minutes: whole('minutes', values.minutes, 1440),
    acts: whole('acts', values.acts, 10_000_000),
    syncs: whole('syncs', values.syncs, 100_000),
    webhooks: whole('webhooks', values.webhooks, 100_000),
    failovers: whole('failovers', values.failovers, 100_000),
    from: values.from,
    contracts: whole('contracts', values.contracts, 10_000_000),
    shots: whole('shots', values.shots, 10_000_000),
    framings: whole('framings', values.framings, 10_000_000),
    rounds: whole('rounds', values.rounds, 1_000_000, 100),
    seed: whole('seed', values.seed, 1_000_000_000, 0),
    only: namesIn(values.only, names, 'kind')
  }
}

/** The text of `--help`. */
export function help (kinds: readonly Kind[]): string {
  return `node test/system/torture/run.ts [options]

Stresses a server and its database during a write load, then compares the acknowledged writes with the database. Also attacks the service.
Prints one Markdown table of results. Exits with 1 if anything was lost or found, if a rule of the database is broken, or if nothing could run.
A kind that cannot run here has a row with the reason. Uses the PostgreSQL of DATABASE_URL,
by default the one at ${defaultPostgres}.

  --kills N         kills of the server, on each kind of database (50)
  --outages N       repetitions of each outage (20)
  --seconds N       length of an outage (1)
  --connections N   idle connections, and as many with an unfinished request (5000); needs twice as many open files
  --minutes N       length of the steady load (10)
  --acts N          acts that compete for the same records (40000)
  --syncs N         trials of synchronizing devices, on each kind of database (10)
  --webhooks N      trials of webhooks, on each kind of database (10)
  --failovers N     failures of the leader of a replicated database (20)
  --from COMMIT     the release to upgrade from (the last one with an older migration)
  --contracts N     contracts in the database that is upgraded, besides the demo data (1000)
  --shots N         random requests (100000)
  --framings N      requests with mutated framing (20000)
  --rounds N        requests of each kind for the comparison of times (3000)
  --seed N          seed of all random choices (default: the clock; printed in the first line)
  --only KIND,KIND  run only these kinds

Kinds:
${kinds.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join('\n')}
`
}
