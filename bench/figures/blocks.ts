import { short } from '../report.ts'
import {
  asNamed, besides, compactly, compared, grown, labelOf, others, requests, synchronized, waiting, worksGrown
} from './rows.ts'
import { middle, type Values } from './run.ts'
import { cell, list, markdown, table, type LabelledRow } from './table.ts'

/** Reads the values of a bench. */
type Read = (bench: string) => Values

/** The services of a run of the peers. Yardsticks belong to none. */
export function servicesOf (values: Values): string[] {
  return [...new Set([...values.keys()].filter(name => name.includes(': ')).map(name => name.split(': ')[0] as string))]
}

/** Requests of the mix that the page about scaling calculates with. */
const mix = { lists: 0.9, detail: 0.08, create: 0.01, change: 0.01 }
/** Largest load of a core. */
const fullest = 0.6

const all = (values: Values) => asNamed(...values.keys())

/** The median of a figure that a page calculates with. @throws {Error} if no run has it */
function figure (values: Values, name: string, unit: string): number {
  const found = middle(values, name, unit)
  if (found === undefined) throw new Error(`no run has ${unit} of ${name}, which a page calculates with`)
  return found
}

/** The mean of a figure over the requests of the mix. */
function meanOf (values: Values, unit: string): number {
  return Math.round(Object.entries(mix).reduce((sum, [name, share]) => sum + share * figure(values, name, unit), 0))
}

/** Ratios of the peers for the README, with a row for each request. */
function peersByRequest (values: Values): string {
  const found = servicesOf(values)
  return markdown(['', ...found.map(labelOf)], compactly.map(([label, workload]) =>
    [label, ...found.map(service => cell(middle(values, `${service}: ${workload}`, 'ratio'), 'ratio'))]))
}

/** Ratios of the peers, with a row for each service, and the largest memory of each. */
function peersByService (values: Values): string {
  return markdown(['', ...compared.map(([label]) => label), 'MB'], servicesOf(values).map((service) => {
    const names = compared.map(([, workload]) => `${service}: ${workload}`)
    const memory = Math.max(...[service, ...names].flatMap(name => middle(values, name, 'MB') ?? []))
    return [labelOf(service), ...names.map(name => cell(middle(values, name, 'ratio'), 'ratio')), short(memory)]
  }))
}

/** Times of the peers; empty if the run has none. */
function peersTimes (values: Values): string {
  const found = servicesOf(values)
  const rows = compared.flatMap(([label, workload]) =>
    found.map((service): LabelledRow => [`${label}, ${labelOf(service)}`, `${service}: ${workload}`]))
  const units = ['requests/s', 'p50 ms', 'p99 ms', 'service µs', 'PostgreSQL µs']
  const hasTimes = rows.some(([, name]) => units.some(unit => middle(values, name, unit) !== undefined))
  return hasTimes ? `Times of the same run:\n\n${table(values, rows, units)}` : ''
}

/** Processes and cores for some loads of the mix. */
function capacity (values: Values): string {
  const [service, database] = [meanOf(values, 'service µs'), meanOf(values, 'PostgreSQL µs')]
  const cores = (rate: number, microseconds: number) => Math.ceil(rate * microseconds / 1e6 / fullest)
  const rows = [10_000, 50_000, 100_000].map((rate) => {
    // The second process answers while the first restarts.
    const [processes, ofDatabase] = [Math.max(2, cores(rate, service)), cores(rate, database)]
    return [rate, processes, ofDatabase, processes + ofDatabase].map(short)
  })
  const head = ['Requests per second', 'Server processes', 'Cores of PostgreSQL', 'Cores together']
  const sentence = `One request of this mix takes on average ${service} µs of a server process and ${database} µs of PostgreSQL:`
  return `${sentence}\n\n${markdown(head, rows)}`
}

function calculation (values: Values): string {
  const part = (unit: string) => {
    const microseconds = figure(values, 'create', unit)
    return `1,000 × ${short(microseconds)} µs = ${(microseconds / 1000).toFixed(2)} cores`
  }
  return `For example, 1,000 creates per second take ${part('service µs')} of the service, and ${part('PostgreSQL µs')} of PostgreSQL.`
}

function perCore (values: Values): string {
  const rate = (name: string) => (Math.floor(1e6 / figure(values, name, 'PostgreSQL µs') / 100) * 100).toLocaleString('en')
  const [reads, creates, updates] = ['detail', 'create', 'change'].map(rate)
  const load = `${reads} single contracts, ${creates} creates or ${updates} updates per second`
  return `${load} fill a core of PostgreSQL. Plan for ${fullest * 100} % of that.`
}

function memory (values: Values): string {
  const ours = [...values.keys()].filter(name => !/^(yardstick|bytes)/.test(name))
  const [rest, most] = [figure(values, 'at rest', 'MB'), Math.max(...ours.flatMap(name => middle(values, name, 'MB') ?? []))]
  return `A server process took ${short(rest)} MB of memory at rest, and at most ${short(most)} MB in these measurements.`
}

/** Times by the size of the company. */
function bySize (values: Values, shown: LabelledRow[]): string {
  const units = [...new Set([...values.values()].flatMap(units => [...units.keys()]))].filter(unit => unit.startsWith('ms at '))
  return table(values, shown, units.map(unit => [unit, unit.replace('ms at ', '')]))
}

const ofWorks = (values: Values) => all(values).filter(([, name]) => /^(phone|Director|ERP|office): /.test(name))

const connected = (values: Values) => all(values).filter(([, name]) => name.includes('connections'))

/** What the pages show between `<!-- figures: NAME -->` and `<!-- /figures -->`. */
export const blocks: Record<string, (read: Read) => string> = {
  requests: read => table(read('workloads'), requests, [
    'ratio', ['ratio to bytes', 'to bytes'], 'requests/s', 'p99 ms', 'service µs', 'PostgreSQL µs'
  ]),
  memory: read => memory(read('workloads')),
  capacity: read => capacity(read('workloads')),
  calculation: read => calculation(read('workloads')),
  'per core': read => perCore(read('workloads')),
  'peers by request': read => peersByRequest(read('peers')),
  'peers by service': read => peersByService(read('peers')),
  'peers, times': read => peersTimes(read('peers')),
  growth: read => bySize(read('growth'), grown),
  'growth of works': read => bySize(read('growth-works'), worksGrown),
  overload: read => table(read('overload'), connected(read('overload')), ['% of the peak', 'p99 ms']),
  sync: read => table(read('sync'), synchronized, ['median ms', 'p99 ms']),
  waiting: read => list(read('waiting'), waiting, ['MB', '% of a core', 'median ms', 'max ms']),
  works: read => list(read('works'), all(read('works')), ['median ms', 'ratio']),
  site: read => table(read('site'), others, besides),
  'site, works': read => list(read('site'), ofWorks(read('site')), ['median ms', 'p99 ms']),
  replicas: read => table(read('replicas'), all(read('replicas')), [
    ['µs per read', 'CPU of the primary per read, µs'], ['% from replicas', 'reads from replicas, %']
  ]),
  webhooks: read => list(read('webhooks'), all(read('webhooks')), ['changes/s', 'median ms', 'p99 ms', 'ratio', '% of a core'])
}
