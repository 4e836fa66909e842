import { resources as declared } from '../../../src/domain/resources.ts'
import type { Psql } from '../kernel/psql.ts'
import { listOf } from './acts.ts'
import { type Edit, identities, identityOf, isTried, texts, type Tried } from './ledger.ts'
import type { Phone } from './phone.ts'

type Values = Record<string, unknown>
const names = Object.keys(identities) as Tried[]

/** What a phone shows of one company at the end. */
export interface PhoneState {
  phone: string
  company: number
  /** The records by resource. */
  records: Record<Tried, Array<Values & { sync: string }>>
  /** The copies of the server's records in its storage, with the company that each belongs to. */
  copies: Array<[key: string, record: Values]>
  status: { pending: number, conflicts: number, refused: number }
  conflicts: Array<{ resource: Tried, id: unknown, fields: Record<string, { mine: unknown, theirs: unknown }> }>
  refused: Array<{ resource: Tried, id: unknown, op: string, body: Values }>
  /** The edits in its storage that wait until the app has resolved an earlier one. Nothing else is queued at the end. */
  waiting: Array<{ resource: string, record: unknown, body?: Values }>
}

/** Reads what a phone shows. */
export async function stateOf (phone: Phone, company: number): Promise<PhoneState> {
  const records = Object.fromEntries(await Promise.all(names.map(async name => [name, await listOf(phone, name)])))
  const { status, conflicts, refused } = phone.store
  const entries = await phone.entries('store/')
  const copies = entries.filter(([key]) => key.includes('/record/')) as PhoneState['copies']
  const edits = entries.filter(([key]) => key.includes('/edit/') && Number(key.split('/')[2]) === company).map(([, edit]) => edit as PhoneState['waiting'][number] & { status: string })
  return { phone: phone.name, company, records, copies, status: { ...status }, conflicts: conflicts.flatMap(({ resource, id, fields }) => isTried(resource) ? [{ resource, id, fields }] : []), refused: refused.flatMap(({ resource, id, op, body }) => isTried(resource) ? [{ resource, id, op, body }] : []), waiting: edits.filter(({ status }) => status === 'queued') }
}

/** Whether a phone lists an edit as refused or in conflict. */
export function lists ({ phone, company, conflicts, refused }: PhoneState, edit: Edit): boolean {
  if (edit.phone !== phone || edit.company !== company) return false
  const isOf = (one: { resource: string, id: unknown }) => one.resource === edit.resource && one.id === edit.id
  if (edit.op === 'remove') return refused.some(one => isOf(one) && one.op === 'delete')
  // The edit of a lost record has another id, but only one edit writes this value.
  return refused.some(one => one.resource === edit.resource && one.body[edit.field] === edit.token) || conflicts.some(one => isOf(one) && one.fields[edit.field]?.mine === edit.token)
}

/** Whether a phone shows the value of an edit in a record that is in conflict or refused. The edit can be part of one with a conflict in another field. */
export function shows ({ phone, company, records }: PhoneState, edit: Edit): boolean {
  return edit.phone === phone && edit.company === company && records[edit.resource].some(record => record['id'] === edit.id && record[edit.field] === edit.token && ['conflict', 'refused'].includes(record.sync))
}

/** Whether an edit waits on its phone for another one of its record, which the phone lists. The server can have lost the record. */
export function awaits ({ phone, company, conflicts, refused, waiting }: PhoneState, edit: Edit): boolean {
  if (edit.phone !== phone || edit.company !== company) return false
  const own = waiting.find(one => one.resource === edit.resource && one.body?.[edit.field] === edit.token)
  return own !== undefined && [...conflicts, ...refused].some(one => one.resource === own.resource && one.id === own.record)
}

/** The records that a phone has created and now shows under another id than the one that its app got. */
export function renamed ({ phone, company, records }: PhoneState, created: Edit[]): string[] {
  return created.filter(edit => edit.phone === phone && edit.company === company).flatMap(({ resource, identity, id }) => {
    const shown = records[resource].find(record => identityOf(resource, record) === identity)
    return shown === undefined || shown['id'] === id ? [] : [`${phone}, company ${company}: ${identity} has the id ${String(shown['id'])} instead of ${String(id)}`]
  })
}

/** The server's records by company and resource, as the feed has them. */
export type ServerState = Map<number, Record<Tried, Values[]>>

/** Reads the server's records without the feed. */
export async function serverState (psql: Psql, companies: number[]): Promise<ServerState> {
  const state: ServerState = new Map()
  for (const company of companies) {
    const entries: Array<[string, Values[]]> = []
    for (const { name, stored } of declared) {
      const rows = await psql(`select ${stored.json} as record from ${name} t where t.company_id = $1 order by t.id`, [company])
      entries.push([name, rows.map(({ record }) => typeof record === 'string' ? JSON.parse(record) : record)])
    }
    state.set(company, Object.fromEntries(entries) as Record<Tried, Values[]>)
  }
  return state
}

/** Names of all records of the server. */
export function presentIn (state: ServerState): Set<string> {
  return new Set([...state.values()].flatMap(company => names.flatMap(name => company[name].map(record => identityOf(name, record)))))
}

/** The differences between a phone and the server. */
export function differences (state: PhoneState, servers: ServerState): string[] {
  const { phone, company, records, copies, status, conflicts, refused } = state
  const server = servers.get(company) as Record<Tried, Values[]>
  const say = (text: string) => `${phone}, company ${company}: ${text}`
  const faults = copies.filter(([key, record]) => Number(key.split('/')[2]) !== record['company']).map(([key]) => say(`it has another company's record ${key}`))
  if (status.pending !== 0 || status.conflicts !== conflicts.length || status.refused !== refused.length) faults.push(say(`its status is ${JSON.stringify(status)} with ${conflicts.length} conflicts and ${refused.length} refused edits`))
  for (const name of names) {
    const expected = new Map(server[name].map(record => [identityOf(name, record), named(record, name, (other, id) => byId(server[other], id))]))
    const shown = new Map(records[name].map(record => [identityOf(name, record), record]))
    for (const [identity, record] of shown) {
      const { sync, ...own } = named(record, name, (other, id) => byId(records[other], id)) as Values & { sync: string }
      const wanted = expected.get(identity)
      if (wanted === undefined) {
        if (!refused.some(one => one.op === 'create' && one.id === record['id'])) faults.push(say(`${name} ${identity} is not on the server: ${sync}`))
      } else if (sync === 'synced' && JSON.stringify(sorted(own)) !== JSON.stringify(sorted(wanted))) {
        faults.push(say(`${name} ${identity} is ${JSON.stringify(different(own, wanted))}`))
      } else if (own['version'] !== wanted['version']) {
        faults.push(say(`${name} ${identity}, ${sync}, has version ${String(own['version'])} instead of ${String(wanted['version'])}`))
      }
      if (sync === 'conflict' && !conflicts.some(one => one.resource === name && one.id === record['id'])) faults.push(say(`${name} ${identity} is in a conflict that is not listed`))
      if (sync === 'refused' && !refused.some(one => one.resource === name && one.id === record['id'])) faults.push(say(`${name} ${identity} has a refused edit that is not listed`))
    }
    for (const identity of expected.keys()) if (!shown.has(identity)) faults.push(say(`${name} ${identity} is missing`))
  }
  for (const { resource, id, fields } of conflicts) {
    const identity = records[resource].filter(record => record['id'] === id).map(record => identityOf(resource, record))[0]
    const current = server[resource].find(record => identityOf(resource, record) === identity)
    for (const [field, { theirs }] of Object.entries(fields)) {
      if (current !== undefined && [texts[resource], 'monto'].includes(field) && theirs !== current[field]) faults.push(say(`the conflict of ${identity} shows ${field} ${String(theirs)} instead of ${String(current[field])}`))
    }
  }
  return faults
}

const references: Partial<Record<Tried, Record<string, Tried>>> = { contracts: { parent: 'contracts', contraparte_id: 'contrapartes' }, estimates: { contract: 'contracts' } }

/** A record with names instead of ids, which differ between phones. An id of the server stays beside its name. */
function named (record: Values, resource: Tried, find: (resource: Tried, id: unknown) => Values | undefined): Values {
  const shown = Object.entries(references[resource] ?? {}).map(([field, other]) => [field, record[field] === null ? null : identityOf(other, find(other, record[field]) ?? { id: record[field] })])
  return { ...record, id: identityOf(resource, record), ...Object.fromEntries(shown) }
}

function byId (records: Values[], id: unknown): Values | undefined {
  return records.find(record => record['id'] === id)
}

function sorted (values: Values): Values {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => a < b ? -1 : 1))
}

function different (own: Values, wanted: Values): Values {
  return Object.fromEntries([...new Set([...Object.keys(own), ...Object.keys(wanted)])].filter(key => JSON.stringify(own[key]) !== JSON.stringify(wanted[key])).map(key => [key, [own[key], wanted[key]]]))
}
