import { registered } from '../../../src/domain/resources.ts'
import type { Device } from '../../support/device.ts'
import type { Book } from './book.ts'
import type { Psql } from './psql.ts'
import { outside, type Known } from './shown.ts'

/** A record of a trial as the database has it. */
export interface Stored {
  resource: string
  id: number
  /** The text that names it. */
  mark: string
  /** Its columns. */
  fields: Record<string, unknown>
}

const marked = (resource: string, mark: string) => `
  select '${resource}' as resource, id, ${mark} as mark, to_jsonb(x) - 'busqueda' as fields
  from ${resource} x where company_id = $1 and strpos(${mark}, $2) > 0`
const records = registered.map(({ name }) => marked(name, name === 'contracts' ? 'folio' : 'external_id')).join(' union all ')

/** Reads the records of a trial in a company. */
export async function storedOf ({ company, marker }: Book, psql: Psql): Promise<Stored[]> {
  const rows = await psql(records, [company, marker])
  return rows.map(({ fields, ...row }) => ({ ...row, fields: typeof fields === 'string' ? JSON.parse(fields) : fields }) as Stored)
}

/**
 * Compares the database with the acknowledged writes.
 * @param known the state before the rows were read
 * @param hasEnded whether all writers have ended, so that exactly the acknowledged records must exist
 * @returns losses, repetitions and differences, one line each
 */
export function audit (book: Book, rows: Stored[], known: Known, hasEnded: boolean): string[] {
  const found = new Map(rows.map(row => [`${row.resource} ${row.id}`, row]))
  const wanted = new Set<string>()
  const faults: string[] = []
  const say = (fault: string | undefined) => { if (fault !== undefined) faults.push(`company ${book.company}: ${fault}`) }

  for (const [id, { folio, amount, since, isLeaving }] of book.contracts) {
    wanted.add(`contracts ${id}`)
    if (since > known.at || (isLeaving && !hasEnded)) continue
    const row = found.get(`contracts ${id}`)
    if (row?.mark !== folio) say(`lost: contract ${id} was acknowledged as ${folio}, and is ${JSON.stringify(row)}`)
    else say(outside(`contract ${id} has`, Number(row.fields['monto']), known.floors.get(id) ?? 0, amount.ceiling))
  }
  for (const [resource, others] of Object.entries(book.others)) {
    for (const [id, { mark, fields, since, isLeaving }] of others) {
      wanted.add(`${resource} ${id}`)
      if (since > known.at || (isLeaving && !hasEnded)) continue
      const row = found.get(`${resource} ${id}`)
      if (row?.mark !== mark) say(`lost: ${resource} ${id} was acknowledged as ${mark}, and is ${JSON.stringify(row)}`)
      else if (hasEnded) say(difference(`${resource} ${id}`, row.fields, fields))
    }
  }
  for (const [mark, { length }] of Map.groupBy(rows, ({ resource, mark }) => `${resource} ${mark}`)) {
    if (length > 1) say(`doubled: ${mark} exists ${length} times`)
  }
  for (const [name, row] of hasEnded ? found : []) {
    if (!wanted.has(name)) say(`never acknowledged, or twice: ${name} is ${JSON.stringify(row)}`)
  }
  return faults
}

/** @returns a fault if a record has other values than those acknowledged */
function difference (what: string, found: Stored['fields'], wanted: Stored['fields']): string | undefined {
  const names = Object.keys(wanted).filter(name => found[name] !== wanted[name])
  const some = (fields: Stored['fields']) => JSON.stringify(Object.fromEntries(names.map(name => [name, fields[name]])))
  return names.length === 0 ? undefined : `${what} is ${some(found)}, and was acknowledged as ${some(wanted)}`
}

/** The resources of the change feed for a device that names none. */
const usual = registered.filter(({ feed }) => feed === 'always').map(({ name }) => name)

/** Compares the copy of a device that has read the feed to its end with the database. */
export async function copyFaults (device: Device, company: number, psql: Psql): Promise<string[]> {
  const faults: string[] = []
  const stored = new Map<string, number>()
  for (const resource of device.resources?.split(',') ?? usual) {
    const rows = await psql(`select id, version from ${resource} where company_id = $1`, [company])
    for (const { id, version } of rows) stored.set(`${resource}/${id}`, version)
  }
  const keys = new Set([...stored.keys(), ...device.records.keys()])
  const wrong = [...keys].filter(key => stored.get(key) !== device.records.get(key)?.version)
  if (wrong.length > 0) faults.push(`the copy differs from the database in ${wrong.length} records, such as ${wrong[0]}`)
  return [...faults, ...device.faults].map(fault => `the change feed of company ${company}: ${fault}`)
}
