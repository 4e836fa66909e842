import type { Measured } from './load.ts'
import type { Figures } from './figures/run.ts'
import { aligned } from './report.ts'
import { megabyte } from '../src/trial/machine.ts'
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

/** Rate of a yardstick: the mean of its runs before and after the workloads. */
export function yardstickOf (rows: Row[], yardstick: Yardstick = 'serialized'): number {
  const rates = rows.filter(row => row.yardstick === yardstick).map(row => row.rate)
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length
}

/** The ratio of a row's rate to that of a yardstick, as text. */
function ratio ({ rate }: Pick<Row, 'rate'>, yardstick: number): string {
  return (rate / yardstick).toFixed(rate / yardstick < 0.1 ? 4 : 2)
}

/** A rate as text. */
function perSecond ({ rate }: Pick<Row, 'rate'>): string {
  return rate.toLocaleString('en', { maximumFractionDigits: rate < 1000 ? 1 : 0 })
}

const columns: Array<[title: string, cell: (row: Row, yardstick: number, bytes: number) => string]> = [
  ['ratio', ratio],
  ['to bytes', (row, _, bytes) => ratio(row, bytes)],
  ['requests/s', perSecond],
  ['p50 ms', row => row.p50.toFixed(1)],
  ['p99 ms', row => row.p99.toFixed(1)],
  ['errors', row => String(row.errors)],
  ['memory', row => known(row.memory, memory => `${Math.round(memory / megabyte)} MB`)],
  ['bytes', row => known(row.bytes, bytes => bytes.toFixed(0))],
  ['server µs', row => known(microseconds(row, row.serverCores), time => time.toFixed(0))],
  ['other µs', row => known(microseconds(row, row.otherCores), time => time.toFixed(0))],
  ['load cores', row => row.loadCores.toFixed(2)]
]

/** @param value NaN if it was not measured */
function known (value: number, format: (value: number) => string): string {
  return Number.isNaN(value) ? '?' : format(value)
}

/** CPU time per answer. */
function microseconds ({ rate }: Pick<Row, 'rate'>, cores: number): number {
  return cores / rate * 1e6
}

const nameOf = ({ name, service }: Row) => service === undefined ? name : `${service}: ${name}`

/** The rows as a text table. */
export function table (rows: Row[]): string {
  const [yardstick, bytes] = [yardstickOf(rows), yardstickOf(rows, 'bytes')]
  const cells = rows.map(row => [nameOf(row), ...columns.map(([, cell]) => cell(row, yardstick, bytes))])
  return aligned([['', ...columns.map(([title]) => title)], ...cells])
}

/** The figures of the rows. "PostgreSQL µs" is the CPU time of everything on the machine but the service and the load generator. */
export function figuresOf (rows: Row[]): Figures {
  const [yardstick, bytes] = [yardstickOf(rows), yardstickOf(rows, 'bytes')]
  return Object.fromEntries(rows.map(row => [nameOf(row), {
    ratio: row.rate / yardstick,
    'ratio to bytes': row.rate / bytes,
    'requests/s': row.rate,
    'p50 ms': row.p50,
    'p99 ms': row.p99,
    'service µs': microseconds(row, row.serverCores),
    'PostgreSQL µs': microseconds(row, row.otherCores),
    MB: row.memory / megabyte
  }]))
}

const disturbedCores = 0.2
/** Permitted deviation of a yardstick's runs from their mean. */
const agreement = 0.15

/** Reasons to distrust the figures. The yardsticks have no database, so any other CPU use during its runs is a disturbance. */
export function doubts (rows: Row[]): string[] {
  const measures = rows.filter(row => row.yardstick !== undefined)
  const others = Math.max(...measures.map(row => row.otherCores))
  const deviationOf = (yardstick: Yardstick) => {
    const [rates, mean] = [measures.filter(row => row.yardstick === yardstick).map(row => row.rate), yardstickOf(rows, yardstick)]
    return Math.max(...rates.map(rate => Math.abs(rate / mean - 1)))
  }
  const percent = (share: number) => `${Math.round(share * 100)} %`
  const apart = yardsticks.filter(yardstick => deviationOf(yardstick) > agreement)
  return [
    ...others > disturbedCores ? [`other programs used ${others.toFixed(1)} cores during the yardsticks`] : [],
    ...apart.map(yardstick => `the two runs of the ${yardstick} yardstick deviate ${percent(deviationOf(yardstick))} from their mean`)
  ]
}
