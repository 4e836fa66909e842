import { parseArgs } from 'node:util'
import { defaultPostgres, namesIn, whole } from '../../../support/trial/options.ts'
import type { Kind } from './kinds.ts'

/** Numbers of a run: default, largest value, meaning, and the smallest value if it is not 1. */
const numbers = {
  kills: [50, 100_000, 'kills of the server, on each kind of database'],
  outages: [20, 100_000, 'repetitions of each outage'],
  seconds: [1, 600, 'length of an outage'],
  reads: [1_000_000, 1_000_000_000, 'reads during writes'],
  writes: [3, 100, 'percentage of writes among these reads'],
  actors: [3, 50, 'actors of each company who read and write'],
  workers: [0, 64, 'workers of one server that they use; 0 for two servers', 0],
  replicas: [0, 5, 'replicas of the database that they use; needs root', 0],
  connections: [5000, 20_000, 'idle connections, and as many with an unfinished request; needs twice as many open files'],
  minutes: [10, 1440, 'length of the steady load'],
  acts: [40_000, 10_000_000, 'acts that compete for the same records'],
  syncs: [10, 100_000, 'trials of synchronizing devices, on each kind of database'],
  files: [500, 100_000, 'files that are sent, on each kind of database'],
  webhooks: [10, 100_000, 'trials of webhooks, on each kind of database'],
  failovers: [20, 100_000, 'failures of the leader of a replicated database'],
  contracts: [1000, 10_000_000, 'contracts in the database that is upgraded, besides the demo data'],
  shots: [100_000, 10_000_000, 'random requests'],
  framings: [20_000, 10_000_000, 'requests with mutated framing'],
  rounds: [3000, 1_000_000, 'requests of each kind for the comparison of times', 100],
  seed: [Date.now() % 1_000_000, 1_000_000_000, 'seed of all random choices (default: the clock; printed in the first line)', 0]
} as const satisfies Record<string, readonly [preset: number, most: number, about: string, least?: number]>

type Name = keyof typeof numbers
const names = Object.keys(numbers) as Name[]

/** Options of a run. */
export interface Options extends Record<Name, number> {
  /** Commit of the release to upgrade from; undefined for the last one with an older migration. */
  from?: string
  /** Names of the kinds to run; undefined runs all. */
  only?: string[]
  /** Names of the attacks of one caller against the others, separated by commas; undefined runs all. */
  attacks?: string
}

/** Reads the command line. @param kinds their names @returns undefined for `--help` @throws {Error} if an option is invalid */
export function readOptions (kinds: string[], args = process.argv.slice(2)): Options | undefined {
  const text = { type: 'string' } as const
  const options = Object.fromEntries(names.map(name => [name, text]))
  const { values } = parseArgs({ args, options: { ...options, from: text, only: text, attacks: text, help: { type: 'boolean', short: 'h' } } })
  if (values['help'] === true) return undefined
  const given: Partial<Record<string, unknown>> = values
  const all = names.map((name) => {
    const [preset, most, , least = 1] = numbers[name] as readonly [number, number, string, number?]
    return [name, whole(name, String(given[name] ?? preset), most, least)] as const
  })
  return { ...Object.fromEntries(all) as Record<Name, number>, from: values.from, attacks: values.attacks, only: namesIn(values.only, kinds, 'kind') }
}

/** The text of `--help`. */
export function help (kinds: readonly Kind[]): string {
  const line = (name: string, about: string) => `  ${name.padEnd(17)} ${about}`
  return `node test/system/torture/run.ts [options]

Stresses servers and their databases, and compares every answer and the database with what was acknowledged. Also attacks the service.
Prints one Markdown table of results. Exits with 1 if anything was lost or found, if a rule of the database is broken, or if nothing could run.
A kind that cannot run here has a row with the reason. Uses the PostgreSQL of DATABASE_URL,
by default the one at ${defaultPostgres}.

${names.map(name => line(`--${name} N`, `${numbers[name][2]}${name === 'seed' ? '' : ` (${numbers[name][0]})`}`)).join('\n')}
${line('--from COMMIT', 'the release to upgrade from (the last one with an older migration)')}
${line('--only KIND,KIND', 'run only these kinds')}
${line('--attacks NAME,…', 'run only these attacks of neighbours')}

Kinds:
${kinds.map(({ name, about }) => line(name, about)).join('\n')}
`
}
