import type { Measured } from './load.ts'
import { aligned } from './report.ts'
import { yardsticks, type Yardstick } from '../src/trial/workload.ts'

/** A row of the table. */
export interface Row extends Measured {
  /** The workload. */
  name: string
  /** The service, if there are several. */
  service?: string
  about: string
  connections: number
  /** Records that a request writes, if `rate` counts records. */
  records?: number
  /** The yardstick that it measures. */
  yardstick?: Yardstick
  /** Number of answers compared with those of a server without a page cache. */
  compared?: number
}

/** Results of a run. */
export interface Run {
  /** Kind and size of the database. */
  database: string
  /** Seconds of each measurement. */
  duration: number
  rows: Row[]
}

/** Rate of a yardstick: the mean of its runs before and after the workloads. */
export function yardstickOf (rows: Row[], yardstick: Yardstick = 'serialized'): number {
  const rates = rows.filter(row => row.yardstick === yardstick).map(row => row.rate)
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length
}

/** The ratio of a row's rate to that of a yardstick, as text. */
export function ratio ({ rate }: Pick<Row, 'rate'>, yardstick: number): string {
  return (rate / yardstick).toFixed(rate / yardstick < 0.1 ? 4 : 2)
}

/** A rate as text. */
export function perSecond ({ rate }: Pick<Row, 'rate'>): string {
  return rate.toLocaleString('en', { maximumFractionDigits: rate < 1000 ? 1 : 0 })
}

const columns: Array<[title: string, cell: (row: Row, yardstick: number, bytes: number) => string]> = [
  ['ratio', ratio],
  ['to bytes', (row, _, bytes) => ratio(row, bytes)],
  ['requests/s', perSecond],
  ['p50 ms', row => row.p50.toFixed(1)],
  ['p99 ms', row => row.p99.toFixed(1)],
  ['errors', row => String(row.errors)],
  ['memory', row => known(row.memory, memory => `${Math.round(memory / 2 ** 20)} MB`)],
  ['bytes', row => known(row.bytes ?? null, bytes => bytes.toFixed(0))],
  ['server µs', row => known(row.serverCores, cores => (cores / row.rate * 1e6).toFixed(0))],
  ['other µs', row => known(row.otherCores, cores => (cores / row.rate * 1e6).toFixed(0))],
  ['load cores', row => row.loadCores.toFixed(2)]
]

/** @param value NaN, or null in a stored run, if it was not measured */
function known (value: number | null, format: (value: number) => string): string {
  return value === null || Number.isNaN(value) ? '?' : format(value)
}

/** The run as rows of cells; the first row is the header. */
export function cellsOf ({ rows }: Run): string[][] {
  const [yardstick, bytes] = [yardstickOf(rows), yardstickOf(rows, 'bytes')]
  return [['', ...columns.map(([title]) => title)], ...rows.map(row => [[row.name, row.service].filter(Boolean).join(' '), ...columns.map(([, cell]) => cell(row, yardstick, bytes))])]
}

/** The run as a text table. */
export function table (run: Run): string {
  return aligned(cellsOf(run))
}

const disturbedCores = 0.2
/** Permitted deviation of a yardstick's runs from their mean. */
export const agreement = 0.15

/** Reasons to distrust the figures. The yardsticks have no database, so any other CPU use during its runs is a disturbance. */
export function doubts (rows: Row[]): string[] {
  const measures = rows.filter(row => row.yardstick !== undefined)
  const others = Math.max(...measures.map(row => row.otherCores))
  const deviations = yardsticks.map((yardstick): [Yardstick, number] => [yardstick, Math.max(...measures.filter(row => row.yardstick === yardstick).map(row => Math.abs(row.rate / yardstickOf(rows, yardstick) - 1)))])
  return [
    ...others > disturbedCores ? [`other programs used ${others.toFixed(1)} cores during the yardsticks`] : [],
    ...deviations.filter(([, apart]) => apart > agreement).map(([yardstick, apart]) => `the two runs of the ${yardstick} yardstick deviate ${Math.round(apart * 100)} % from their mean`)
  ]
}
