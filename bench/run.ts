import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareAnswers } from './compare.ts'
import type { Figures } from './figures/run.ts'
import type { Seeded } from '../src/trial/database.ts'
import { first, measure, type Measured } from './load.ts'
import type { Options } from '../src/trial/options.ts'
import { partsOf, profiling, writeProfile } from './profile.ts'
import { keep } from './report.ts'
import { doubts, figuresOf, table, type Row } from './results.ts'
import { startServer, type Server } from '../src/trial/server.ts'
import type { LoadTarget, Workload } from '../src/trial/workload.ts'

/** Starts the yardsticks with these bytes as their answer. */
export async function startYardstick (hot: Buffer): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'obra-yardstick-'))
  try {
    const file = join(folder, 'hot-list.json')
    writeFileSync(file, hot)
    return await startServer('bench/yardstick.ts', {}, [file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Runs one workload against one server, after a check of its first answer.
 * @param named the service's name, if there are several, and another server whose answers must be the same
 */
export async function runOne (
  workload: Workload, server: Server, target: LoadTarget, options: Options, { service, other }: { service?: string, other?: Server } = {}
): Promise<Row> {
  const { name, about, status, records, yardstick, connections = options.connections } = workload
  say(`${service === undefined ? '' : `${service}, `}${name}: ${about}`)
  const calls = await workload.calls(target)
  const answer = await first(server, calls)
  if (answer.status !== status) throw new Error(`${name}: ${answer.status} instead of ${status}\n${answer.bytes.toString().slice(0, 1000)}`)
  workload.check(answer, target)
  const comparing = other === undefined ? undefined : compareAnswers(server, other, calls)
  const load = { calls, status, connections, duration: options.duration, random: target.random, beside: workload.beside?.(target) }
  const measuring = async () => await measure(server, load)
  const measured = server.inspector === undefined ? await measuring() : await profiled(name, server.inspector, measuring)
  const compared = await comparing?.stop()
  if (measured.errors > 0) measured.firstError = `${measured.firstError}\n${server.output()}`
  return { name, service, about, connections, records, yardstick, compared, ...measured, rate: measured.rate * (records ?? 1) }
}

/** Measures under the profiler, which slows everything down: the shares of time are valid, the rates are not. */
async function profiled (name: string, inspector: string, measuring: () => Promise<Measured>): Promise<Measured> {
  const { profile, result } = await profiling(inspector, measuring)
  say(`${name}: flame graph in ${writeProfile(name, profile)}`)
  const parts = partsOf(profile, result.requests).filter(([, microseconds]) => microseconds >= 0.1)
  const lines = parts.map(([part, microseconds]) => `${microseconds.toFixed(1).padStart(8)}  ${part}\n`)
  process.stdout.write(`\n${name}: µs of a request\n${lines.join('')}`)
  return result
}

/** Kind and size of a run's database. */
export function describe ({ kind, size: { companies, contracts, users } }: Seeded): string {
  return `${kind}: ${companies} companies × ${contracts / companies} contracts, ${users} users`
}

/** Prints the rows as a table, and stores their figures and others. @throws {Error} if a row has errors */
export function conclude (bench: 'workloads' | 'peers', database: string, rows: Row[], options: Options, others: Figures = {}): void {
  const ratios = 'the ratios are to a bare route that serializes, and to one that sends bytes'
  const about = `${options.duration} s each, ${options.connections} connections; ${ratios}`
  process.stdout.write(`\n${database}\n${about}\n\n${table(rows)}\n\n`)
  for (const doubt of doubts(rows)) say(`do not trust these figures: ${doubt}`)
  const failed = rows.find(row => row.errors > 0)
  if (failed === undefined) keep(bench, `${database}, ${options.connections} connections`, { ...figuresOf(rows), ...others })
  else throw new Error(`${failed.service ?? ''} ${failed.name}: ${failed.firstError}`.trim())
}

/** Prints progress. */
export function say (line: string): void {
  process.stderr.write(`bench: ${line}\n`)
}

/** Prints an error and sets the exit code. */
export function fail (error: unknown): void {
  say(`failed: ${(error as Error).message}`)
  process.exitCode = 1
}
