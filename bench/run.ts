import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figures } from './figures/run.ts'
import type { Seeded } from '../test/support/trial/database.ts'
import type { Options } from '../test/support/trial/options.ts'
import { keep } from './report.ts'
import { doubts, figuresOf, table, type Row } from './results.ts'
import { startServer, type Server } from '../test/support/trial/server.ts'

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
