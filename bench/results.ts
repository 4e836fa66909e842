import type { Measured } from './load.ts'

/** One line of the table. */
export interface Row extends Measured {
  /** The workload. */
  name: string
  /** Who was asked, where there are several. */
  service?: string
  about: string
  connections: number
  /** Records that a request writes, where they are what `rate` counts. */
  records?: number
  yardstick: boolean
  /** Answers of the load that were compared with those of a server without a page cache. */
  compared?: number
}

/** A whole run. */
export interface Run {
  /** What the database runs on and how much is in it. */
  database: string
  /** Seconds that each row was measured. */
  duration: number
  rows: Row[]
}

/** The yardstick's requests a second, the mean of its runs before and after the workloads. */
export function yardstickOf (rows: Row[]): number {
  const rates = rows.filter(row => row.yardstick).map(row => row.rate)
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length
}

/** A row's rate in parts of the yardstick's, as text. */
export function ratio ({ rate }: Pick<Row, 'rate'>, yardstick: number): string {
  return (rate / yardstick).toFixed(rate / yardstick < 0.1 ? 4 : 2)
}

/** A rate as text. */
export function perSecond ({ rate }: Pick<Row, 'rate'>): string {
  return rate.toLocaleString('en', { maximumFractionDigits: rate < 1000 ? 1 : 0 })
}

const columns: Array<[title: string, cell: (row: Row, yardstick: number) => string]> = [
  ['ratio', ratio],
  ['requests/s', perSecond],
  ['p50 ms', row => row.p50.toFixed(1)],
  ['p99 ms', row => row.p99.toFixed(1)],
  ['errors', row => String(row.errors)],
  ['memory', row => known(row.memory, memory => `${Math.round(memory / 2 ** 20)} MB`)],
  ['server µs', row => known(row.serverCores, cores => (cores / row.rate * 1e6).toFixed(0))],
  ['server cores', row => known(row.serverCores, cores => cores.toFixed(2))],
  ['load cores', row => row.loadCores.toFixed(2)],
  ['other cores', row => known(row.otherCores, cores => cores.toFixed(2))]
]

function known (value: number, format: (value: number) => string): string {
  return Number.isNaN(value) ? '?' : format(value)
}

/** The run as lines of cells, of which the first has the titles. */
export function cellsOf ({ rows }: Run): string[][] {
  const yardstick = yardstickOf(rows)
  return [['', ...columns.map(([title]) => title)], ...rows.map(row => [[row.name, row.service].filter(Boolean).join(' '), ...columns.map(([, cell]) => cell(row, yardstick))])]
}

/** The run as a table, as wide as it needs to be. */
export function table (run: Run): string {
  const cells = cellsOf(run)
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0))) ?? []
  return cells.map(line => line.map((cell, column) => column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)).join('  ')).join('\n')
}

const disturbedCores = 0.2
/** What the yardstick's runs may be off their mean. */
export const agreement = 0.15

/** What speaks against believing the figures: the yardstick has no database, so that all else that is busy then is a stranger. */
export function doubts (rows: Row[]): string[] {
  const measures = rows.filter(row => row.yardstick)
  const others = Math.max(...measures.map(row => row.otherCores))
  const apart = Math.max(...measures.map(row => Math.abs(row.rate / yardstickOf(rows) - 1)))
  return [
    ...others > disturbedCores ? [`other programs kept ${others.toFixed(1)} cores busy beside the yardstick`] : [],
    ...apart > agreement ? [`the yardstick's two runs are ${Math.round(apart * 100)} % off their mean`] : []
  ]
}
