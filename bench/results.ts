import type { Measured } from './load.ts'
import type { Figures } from './figures/run.ts'
import { aligned } from './report.ts'
import { megabyte } from '../test/support/trial/machine.ts'
import { median, percentile } from '../test/support/trial/percentile.ts'
import type { Workload, Yardstick } from '../test/support/trial/workload.ts'

/** A row of the table: medians of the rounds, the largest memory, and the sums of answers and errors. */
export interface Row extends Measured {
  /** The workload. */
  name: string
  /** The service, if there are several. */
  service?: string
  /** The yardstick that it measures. */
  yardstick?: Yardstick
  /** Medians of the ratios to the yardsticks of the same round. */
  ratios: Record<Yardstick, number>
  /** Half the distance between the quartiles of the ratio to the bare route, as a part of it. */
  spread: number
  /** CPU time per answer in microseconds: of the server, and of everything on the machine but the server and the load generator. */
  microseconds: { server: number, other: number }
}

/** A workload's rounds, and those of the yardsticks that were measured by turns with it. */
export interface Rounds {
  workload: Workload
  /** The service, if there are several. */
  service?: string
  measured: Measured[]
  bare: Record<Yardstick, Measured[]>
}

/**
 * The row of a workload.
 * @param speed answers per second of the bare route. Rates and times are converted to it from the bare route's rate in the same round,
 *   because the speed of the machine changes from workload to workload.
 */
export function rowOf ({ workload, service, measured, bare }: Rounds, speed: number): Row {
  const { name, yardstick, records = 1 } = workload
  const rounds = measured.map((one, round) => {
    const factor = speed / bare.serialized[round].rate
    return { ...one, rate: one.rate * records * factor, p50: one.p50 / factor, p99: one.p99 / factor }
  })
  const middle = (valueOf: (one: Measured) => number) => median(rounds.map(valueOf))
  const sum = (valueOf: (one: Measured) => number) => rounds.reduce((sum, one) => sum + valueOf(one), 0)
  const ratiosTo = (yardstick: Yardstick) => measured.map(({ rate }, round) => rate * records / bare[yardstick][round].rate)
  const serialized = ratiosTo('serialized')
  const ratios = { serialized: median(serialized), bytes: median(ratiosTo('bytes')) }
  return {
    name,
    service,
    yardstick,
    rate: middle(({ rate }) => rate),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    bytes: middle(({ bytes }) => bytes),
    serverCores: middle(({ serverCores }) => serverCores),
    loadCores: middle(({ loadCores }) => loadCores),
    // The largest one, so that a program that ran during one round is noticed.
    otherCores: Math.max(...rounds.map(({ otherCores }) => otherCores)),
    memory: Math.max(...rounds.map(({ memory }) => memory)),
    answers: sum(({ answers }) => answers),
    requests: sum(({ requests }) => requests),
    errors: sum(({ errors }) => errors),
    firstError: rounds.find(({ errors }) => errors > 0)?.firstError,
    ratios,
    spread: (percentile(serialized, 0.75) - percentile(serialized, 0.25)) / 2 / ratios.serialized,
    microseconds: {
      server: middle(({ serverCores, rate }) => serverCores / rate * 1e6),
      other: middle(({ otherCores, rate }) => otherCores / rate * 1e6)
    }
  }
}

const ratio = (value: number) => value.toFixed(value < 0.1 ? 4 : 2)
const percent = (part: number) => `${Math.round(part * 100)} %`

/** A rate as text. */
function perSecond ({ rate }: Pick<Row, 'rate'>): string {
  return rate.toLocaleString('en', { maximumFractionDigits: rate < 1000 ? 1 : 0 })
}

const columns: Array<[title: string, cell: (row: Row) => string]> = [
  ['ratio', row => ratio(row.ratios.serialized)],
  ['±', row => percent(row.spread)],
  ['to bytes', row => ratio(row.ratios.bytes)],
  ['requests/s', perSecond],
  ['p50 ms', row => row.p50.toFixed(1)],
  ['p99 ms', row => row.p99.toFixed(1)],
  ['errors', row => String(row.errors)],
  ['memory', row => known(row.memory, memory => `${Math.round(memory / megabyte)} MB`)],
  ['bytes', row => known(row.bytes, bytes => bytes.toFixed(0))],
  ['server µs', row => known(row.microseconds.server, time => time.toFixed(0))],
  ['other µs', row => known(row.microseconds.other, time => time.toFixed(0))],
  ['load cores', row => row.loadCores.toFixed(2)]
]

/** @param value NaN if it was not measured */
function known (value: number, format: (value: number) => string): string {
  return Number.isNaN(value) ? '?' : format(value)
}

const nameOf = ({ name, service }: Row) => service === undefined ? name : `${service}: ${name}`

/** The rows as a text table. */
export function table (rows: Row[]): string {
  return aligned([['', ...columns.map(([title]) => title)], ...rows.map(row => [nameOf(row), ...columns.map(([, cell]) => cell(row))])])
}

/** The figures of the rows. "PostgreSQL µs" is the CPU time of everything on the machine but the service and the load generator. */
export function figuresOf (rows: Row[]): Figures {
  return Object.fromEntries(rows.map(row => [nameOf(row), {
    ratio: row.ratios.serialized,
    'ratio to bytes': row.ratios.bytes,
    'requests/s': row.rate,
    'p50 ms': row.p50,
    'p99 ms': row.p99,
    'service µs': row.microseconds.server,
    'PostgreSQL µs': row.microseconds.other,
    MB: row.memory / megabyte
  }]))
}

const disturbedCores = 0.2
/** Permitted spread of a row's ratio. */
const agreement = 0.15

/** Reasons to distrust the figures. The yardsticks have no database, so any other CPU use during their rounds is a disturbance. */
export function doubts (rows: Row[]): string[] {
  const others = Math.max(...rows.filter(row => row.yardstick !== undefined).map(row => row.otherCores))
  return [
    ...others > disturbedCores ? [`other programs used ${others.toFixed(1)} cores during the yardsticks`] : [],
    ...rows.filter(({ spread }) => spread > agreement).map(row => `the ratios of ${nameOf(row)} deviate by ${percent(row.spread)}`)
  ]
}
