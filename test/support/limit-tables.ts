import { configSchema } from '../../src/config/variables.ts'
import { limitTable } from '../../src/config/limits.ts'
import { day, GB, hour, KiB, MB, MiB, minute, second, type Holder, type Limit, type VariableLimit } from '../../src/config/limit.ts'

/** Holders as the page names them. */
const holders: Record<Holder, string> = {
  request: 'request',
  answer: 'answer',
  body: 'body',
  file: 'file',
  report: 'report',
  statement: 'statement',
  transaction: 'transaction',
  connection: 'connection',
  webhook: 'webhook',
  receiver: 'receiver, of a process',
  device: 'device',
  tree: 'tree',
  user: 'user',
  company: 'company',
  customer: 'customer',
  address: 'IP address',
  'customer, or address without a session': 'customer, or IP address without a session',
  'email and address': 'email address and IP address',
  email: 'email address',
  process: 'process',
  'customer and process': 'customer',
  'customer and receiver': 'customer and receiver'
}

/** The tables of docs/explanation/limits-and-overload.md, by subject. Run directly, this file puts them on the page. */
export function limitTables (): Record<string, string> {
  return Object.fromEntries(Object.entries<Record<string, Limit | VariableLimit>>(limitTable).map(([subject, entries]) => {
    const rows = Object.values(entries).map(entry => `| ${entry.what} | ${holders[entry.of]} | ${amountOf(entry)} | ${entry.beyond} |`)
    return [subject, ['| What | Of each | Limit | Beyond it |', '|---|---|---|---|', ...rows].join('\n')]
  }))
}

/** The page with the generated tables: between `<!-- limits: SUBJECT -->` and `<!-- /limits -->`. @throws {Error} for an unknown subject */
export function withTables (page: string): string {
  const tables = limitTables()
  return page.replaceAll(/(<!-- limits: (\w+) -->\n)[^]*?(<!-- \/limits -->)/g, (_all, start: string, subject: string, end: string) => {
    const table = tables[subject]
    if (table === undefined) throw new Error(`there are no limits of ${subject}`)
    return `${start}${table}\n${end}`
  })
}

function amountOf (entry: Limit | VariableLimit): string {
  if (!('variable' in entry)) return valueText(entry)
  const { variable, unit } = entry
  const schema: { default?: unknown } = configSchema.properties[variable]
  return `${[Number(schema.default).toLocaleString('en'), unit].filter(Boolean).join(' ')} (\`${variable}\`)`
}

function valueText ({ value, unit }: Limit): string {
  if (unit === 'bytes') return inUnits(value, [[GB, 'GB'], [MiB, 'MiB'], [MB, 'MB'], [KiB, 'KiB'], [1000, 'kB']])
  if (unit === 'ms') return inUnits(value, [[day, 'days'], [hour, 'h'], [10 * minute, 'min'], [second / 10, 's'], [0.1, 'ms']])
  const number = value.toLocaleString('en')
  return unit === 'count' ? number : `${number} ${unit}`
}

/** The number in the largest unit that gives a whole number. */
function inUnits (value: number, units: Array<[size: number, name: string]>): string {
  const [size = 1, name = ''] = units.find(([size]) => Number.isInteger(value / size)) ?? []
  const scale = { min: minute, s: second, ms: 1 }[name] ?? size
  return `${(value / scale).toLocaleString('en')} ${name}`
}

if (import.meta.main) {
  const { readFileSync, writeFileSync } = await import('node:fs')
  const page = new URL('../../docs/explanation/limits-and-overload.md', import.meta.url)
  writeFileSync(page, withTables(readFileSync(page, 'utf8')))
}
