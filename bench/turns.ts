import { compareAnswers } from './compare.ts'
import { first, together, warmUp, type Measured } from './load.ts'
import type { Options } from '../test/support/trial/options.ts'
import { partsOf, profiling, writeProfile } from './profile.ts'
import { rowOf, type Rounds, type Row } from './results.ts'
import { say } from './run.ts'
import { randomFrom } from '../test/support/trial/random.ts'
import type { Server } from '../test/support/trial/server.ts'
import type { LoadTarget, Workload, Yardstick } from '../test/support/trial/workload.ts'
import { median } from '../test/support/trial/percentile.ts'

/** A workload, and a server that it loads. */
export interface Entry {
  workload: Workload
  server: Server
  target: LoadTarget
  /** The service's name, if there are several. */
  service?: string
  /** Another server, whose answers must be the same. */
  other?: Server
}

/** An entry that has answered its first request, and what it did in its rounds. */
interface Prepared {
  entry: Entry
  measure: (seconds: number) => Promise<Measured>
  rounds: Measured[]
}

/** Rounds of each workload. With an odd number, the median is a measured value. */
const roundsOfWorkload = 5
/** Seconds of each yardstick in a round. */
const yardstickSeconds = 1

/**
 * Measures workloads in rounds. In each round, the yardsticks and the servers of a workload take turns, and a ratio compares rates of one
 * round, because the speed of a machine changes within minutes.
 */
export class Turns {
  readonly #options: Options
  readonly #yardsticks: Prepared[]
  readonly #done: Rounds[] = []

  private constructor (yardsticks: Prepared[], options: Options) {
    this.#yardsticks = yardsticks
    this.#options = options
  }

  /** Checks and warms up the yardsticks. */
  static async start (yardsticks: Entry[], options: Options): Promise<Turns> {
    return new Turns(await prepareAll(yardsticks, options), options)
  }

  /** The rows of the yardsticks, and of the entries so far. */
  get rows (): Row[] {
    const bare = this.#bare(0)
    const speed = median(bare.serialized.map(({ rate }) => rate))
    const yardsticks = this.#yardsticks.map(({ entry: { workload }, rounds }) => ({ workload, measured: rounds, bare }))
    return [...yardsticks, ...this.#done].map(rounds => rowOf(rounds, speed))
  }

  /** Measures entries after a check and a warm-up of each. @returns whether all requests succeeded */
  async run (entries: Entry[]): Promise<boolean> {
    const { duration, profile } = this.#options
    const count = profile ? 1 : roundsOfWorkload
    const prepared = await prepareAll(entries, this.#options)
    const before = this.#yardsticks[0].rounds.length
    const all = [...this.#yardsticks, ...prepared]
    for (let round = 0; round < count && all.every(hasSucceeded); round++) {
      for (const one of this.#yardsticks) one.rounds.push(await one.measure(yardstickSeconds))
      for (const one of prepared) one.rounds.push(await one.measure(duration / count))
    }
    const bare = this.#bare(before)
    this.#done.push(...prepared.map(({ entry: { workload, service }, rounds }) => ({ workload, service, measured: rounds, bare })))
    return all.every(hasSucceeded)
  }

  /** The rounds of the yardsticks, from one on. */
  #bare (first: number): Rounds['bare'] {
    const of = (name: Yardstick) => this.#yardsticks.find(({ entry }) => entry.workload.yardstick === name)?.rounds.slice(first) ?? []
    return { serialized: of('serialized'), bytes: of('bytes') }
  }
}

function hasSucceeded ({ rounds }: Prepared): boolean {
  return rounds.every(({ errors }) => errors === 0)
}

async function prepareAll (entries: Entry[], options: Options): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (const entry of entries) prepared.push(await prepare(entry, options))
  return prepared
}

/** Checks the first answer and warms up. @throws {Error} if an answer is wrong */
async function prepare (entry: Entry, options: Options): Promise<Prepared> {
  const { workload, server, target, service, other } = entry
  const { name, about, status, connections = options.connections } = workload
  say(`${service === undefined ? '' : `${service}, `}${name}: ${about}`)
  const calls = await workload.calls(target)
  const answer = await first(server, calls)
  if (answer.status !== status) throw new Error(`${name}: ${answer.status} instead of ${status}\n${answer.bytes.toString().slice(0, 1000)}`)
  workload.check(answer, target)
  const load = { calls, status, connections, random: target.random, beside: workload.beside?.(target) }
  const differing = randomFrom(workload.name.length)
  const measure = async (duration: number) => {
    const comparing = other === undefined ? undefined : compareAnswers(server, other, calls, differing)
    const measured = await together(server, { ...load, duration })
    const compared = await comparing?.stop()
    if (compared === 0 && workload.isRead === true) throw new Error(`${name}: no answer could be compared with the other server`)
    if (measured.errors > 0) measured.firstError = `${measured.firstError}\n${server.output()}`
    return measured
  }
  const warm = await measure(Math.min(warmUp, options.duration))
  if (warm.errors > 0) throw new Error(`${name}: ${warm.firstError}`)
  const { inspector } = server
  const profiled = async (seconds: number) => await profile(name, inspector as string, async () => await measure(seconds))
  return { entry, measure: inspector === undefined ? measure : profiled, rounds: [] }
}

/** Measures under the profiler, which slows everything down: the shares of time are valid, the rates are not. */
async function profile (name: string, inspector: string, measure: () => Promise<Measured>): Promise<Measured> {
  const { profile, result } = await profiling(inspector, measure)
  say(`${name}: flame graph in ${writeProfile(name, profile)}`)
  const parts = partsOf(profile, result.requests).filter(([, microseconds]) => microseconds >= 0.1)
  const lines = parts.map(([part, microseconds]) => `${microseconds.toFixed(1).padStart(8)}  ${part}\n`)
  process.stdout.write(`\n${name}: µs of a request\n${lines.join('')}`)
  return result
}
