import type { LabelledRow } from './table.ts'

/** Requests of the workloads. */
export const requests: LabelledRow[] = [
  ['one user\'s first page', 'hot-list'],
  ['1,000 users\' pages 1–5', 'lists'],
  ['the same, compressed', 'compressed'],
  ['random single contracts', 'detail'],
  ['304 polls', 'polls'],
  ['pages 1–5, page cache off', 'misses'],
  ['pages 1–5, a write per company and second', 'written'],
  ['creates in all companies', 'create'],
  ['updates', 'change'],
  ['contracts in bulks of 1,000', 'bulk'],
  ['log-ins (argon2id)', 'log-in']
]

/** Workloads of the peers. */
export const compared: LabelledRow[] = [
  ['first page', 'hot-list'], ['pages 1–5', 'lists'], ['single contracts', 'detail'], ['creates', 'create']
]
/** Workloads of the peers in the README. */
export const compactly = compared.filter(([, workload]) => workload !== 'lists')
/** Services of the peers by their names. */
const services: Record<string, string> = {
  obra: 'Obra', 'hono-drizzle': 'Hono + Drizzle', rust: 'Rust', 'rust-shared': 'Rust, shared statements'
}
/** The name of a service of the peers on the pages. */
export const labelOf = (service: string) => services[service] ?? service

/** Requests in companies of different sizes. */
export const grown: LabelledRow[] = [
  ['first page', 'page-1'], ['`search=`, one found', 'search-number'], ['`search=`, all found', 'search-common'],
  ['the same, `count_exact=false`', 'search-common-bounded'], ['`ordering=-monto`', 'by-monto-down'],
  ['`estado=`, all found', 'estado-all'], ['the same, `count_exact=false`', 'estado-all-bounded']
]

/** Requests for records of the works of contracts. */
export const worksGrown: LabelledRow[] = Object.entries({ conceptos: 'contract', estimates: 'contract', generadores: 'estimate' }).flatMap(
  ([resource, owner]): LabelledRow[] => [
    [`${resource}, first page`, `${resource}-page-1`], [`\`${resource}/?${owner}=\`, 100 found`, `${resource}-of-${owner}`],
    [`${resource}, one record`, `${resource}-detail`]
  ])

/** Requests of another customer, and the phases in which they are measured. */
export const others: LabelledRow[] = ['list', 'single contract', 'write'].map(kind => [kind, `others: ${kind}`])
/** Times of the phases. */
export const besides = ['alone', 'beside the works', 'beside the control'].map((phase): [string, string] => [`p99 ms ${phase}`, phase])

/** Rows whose first cells are the names of the figures. */
export const asNamed = (...names: string[]) => names.map((name): LabelledRow => [name, name])

/** Requests that wait for changes. */
export const waiting = asNamed('10,000 waiting requests', 'answers after the write')
/** Parts of a synchronization. */
export const synchronized = asNamed(
  'first synchronization', 'a write is noticed', 'a write of another process', '200 mutations that create', '200 mutations that update')
