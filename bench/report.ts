import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describeMachine, environment } from '../test/support/trial/machine.ts'
import { median, percentile } from '../test/support/trial/percentile.ts'
import type { Figures, Run } from './figures/run.ts'

/** The folder of stored runs, one JSON file each. */
const results = join(import.meta.dirname, 'results')

/** Stores the figures of a run. `node bench/figures.ts FILE` puts them into the pages. @param database its kind and size */
export function keep (bench: string, database: string, figures: Figures): void {
  const { commit, command, ...machine } = environment()
  const at = new Date().toISOString()
  const name = database.startsWith('embedded') ? `${bench}, embedded` : bench
  const rounded = (units: Record<string, number>) => Object.fromEntries(
    Object.entries(units).filter(([, value]) => !Number.isNaN(value)).map(([unit, value]) => [unit, Number(value.toPrecision(4))]))
  const run: Run = {
    bench: name,
    date: at.slice(0, 10),
    commit,
    command,
    machine: describeMachine(machine),
    database,
    figures: Object.fromEntries(Object.entries(figures).map(([figure, units]) => [figure, rounded(units)]))
  }
  mkdirSync(results, { recursive: true })
  const file = join(results, `${bench}-${at.slice(0, 19).replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
  process.stderr.write(`${bench}: written to ${relative(process.cwd(), file)}\n`)
}

/** The figures of a bench that prints them while it runs. */
export class Report {
  readonly #bench: string
  readonly #database: string
  readonly #figures: Figures = {}

  constructor (bench: string, database: string) {
    this.#bench = bench
    this.#database = database
    print('database', database)
  }

  /** Prints and stores figures by their unit. @param note is only printed, such as a bound */
  add (name: string, values: Record<string, number>, note?: string): void {
    this.#figures[name] = { ...this.#figures[name], ...values }
    const texts = Object.entries(values).map(([unit, value]) => `${unit} ${short(value)}`)
    print(name, [...texts, ...note === undefined ? [] : [note]].join(', '))
  }

  keep (): void {
    keep(this.#bench, this.#database, this.#figures)
  }
}

/** Prints a line that is not a figure. */
export function print (what: string, text: string): void {
  process.stdout.write(`${what.padEnd(48)} ${text}\n`)
}

/** A number as text, with three digits or more. */
export function short (value: number): string {
  const places = [100, 10, 0.1].findIndex(least => Math.abs(value) >= least)
  const text = value.toLocaleString('en', { maximumFractionDigits: places === -1 ? 3 : places })
  return text === '-0' ? '0' : text
}

/** Median, 99th percentile and maximum of times in ms. */
export function quantiles (times: number[]): Record<string, number> {
  return { 'median ms': median(times), 'p99 ms': percentile(times, 0.99), 'max ms': Math.max(...times) }
}

/** Rows of cells as a text table. Its first column is aligned to the left, the others to the right. */
export function aligned (rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  const align = (cell: string, column: number) => column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map(row => row.map(align).join('  ')).join('\n')
}
