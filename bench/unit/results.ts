import type { Run as GrowthRun } from '../growth/results.ts'
import type { Kept } from '../kept.ts'
import type { Row, Run } from '../results.ts'

const environment = { node: 'v24.0.0', platform: 'linux x64', cpu: 'A & B CPU', cores: 2, memory: 16 * 2 ** 30, commit: '1234abc-dirty' }

function row (name: string, rate: number, own: Partial<Row> = {}): Row {
  return {
    name,
    rate,
    about: '',
    connections: 64,
    p50: 4,
    p99: 60,
    percentiles: [[2.5, 1], [50, 4], [99, 60], [99.9, 250]],
    answers: 1000,
    requests: 1000,
    errors: 0,
    memory: 2 ** 27,
    serverCores: 0.5,
    loadCores: 0.5,
    otherCores: 0,
    bytes: 9000,
    ...own
  }
}

/** The runs of both yardsticks at these rates. Bytes are twice as fast. */
const yardsticks = (when: string, rate: number): Row[] => [row(`yardstick${when}`, rate, { yardstick: 'serialized' }), row(`bytes${when}`, 2 * rate, { yardstick: 'bytes' })]

/** A run of the workloads, whose yardstick's runs are far apart. */
export const workloads: Kept<Run> = {
  ...environment,
  at: '2026-03-02T10:00:00.000Z',
  command: 'node bench/index.ts --duration 2',
  database: 'PostgreSQL 15: 2 companies',
  duration: 2,
  rows: [
    ...yardsticks('', 12_000),
    row('lists', 5000, { about: 'every user reads pages <1> to 5' }),
    row('bulk', 100, { about: 'users create 1,000 contracts a call', connections: 4, records: 1000, percentiles: [[2.5, 300], [50, 400]] }),
    ...yardsticks(' again', 8000)
  ]
}

/** A run of the peers. */
export const peers: Kept<Run> = {
  ...environment,
  at: '2026-03-03T10:00:00.000Z',
  command: 'node bench/peers.ts',
  database: 'PostgreSQL 15: 2 companies',
  duration: 2,
  rows: [
    ...yardsticks('', 10_000),
    row('lists', 5000, { service: 'obra' }),
    row('lists', 400, { service: 'hono-drizzle' }),
    row('create', 900, { service: 'obra' }),
    row('create', 80, { service: 'hono-drizzle' }),
    ...yardsticks(' again', 10_000)
  ]
}

const cost = (size: number, median: number, p99: number) => ({ size, requests: 200, median, p99 })

/** A run of growth. */
export const growth: Kept<GrowthRun> = {
  ...environment,
  at: '2026-03-04T10:00:00.000Z',
  command: 'node bench/growth.ts',
  database: 'PostgreSQL 15',
  lines: [
    { name: 'page-1', about: 'the first page of the list', bar: true, costs: [cost(1000, 1, 2), cost(1_000_000, 1.1, 4)] },
    { name: 'by-monto-down', about: '`ordering=-monto`', bar: false, costs: [cost(1000, 1.96, 3), cost(1_000_000, 235, 242)] }
  ],
  tree: { contracts: 10_000, route: cost(1_000_000, 115, 144), bare: cost(1_000_000, 58, 92) }
}
