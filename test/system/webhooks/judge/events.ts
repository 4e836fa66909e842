import { isList, recordOf, type Item } from '../items.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Log } from './log.ts'
import type { Accepted, Generation } from './history.ts'

/** Longest body of a delivery in bytes. */
const mostBytes = 256_000

/** Checks what each delivery says: against the log, the states of the records, and the subscription. @param excused records whose creation was skipped */
export function eventFaults (endpoint: Endpoint, generations: Generation[], log: Log, excused: Set<string>): string[] {
  const faults: string[] = []
  const say = (text: string) => faults.push(`${endpoint.name}: ${text}`)
  const versions = new Map<string, number>()
  for (const { since, deliveries } of generations) {
    const announced = new Map<string, Accepted>()
    for (const delivery of deliveries) {
      if (delivery.items.length > endpoint.batch || isList(delivery.body) !== (endpoint.batch > 1) || Buffer.byteLength(delivery.body) > mostBytes) say(`a delivery has ${delivery.items.length} changes and ${Buffer.byteLength(delivery.body)} bytes`)
      for (const item of delivery.items) {
        for (const fault of contentFaults(endpoint, item, since, log)) say(fault)
        const record = recordOf(item)
        const { version = 0 } = item.record as { version?: number } ?? {}
        if (item.record !== undefined && version < (versions.get(record) ?? 0)) say(`${told(item)} has version ${version} after ${versions.get(record)}`)
        versions.set(record, Math.max(version, versions.get(record) ?? 0))

        if (delivery.isAmbiguous) {
          if (item.type.endsWith('.created')) announced.set(record, delivery)
          continue
        }
        const isNew = log.creation(endpoint.user.company, record) > since
        const before = announced.get(record)
        if (item.type.endsWith('.created')) {
          if (!isNew) say(`${told(item)} was created before, at ${log.creation(endpoint.user.company, record)}, and deliveries begin after ${since}`)
          if (before !== undefined && !before.isUncertain) say(`${told(item)} is created twice`)
          announced.set(record, delivery)
        }
        if (item.type.endsWith('.updated') && isNew && before === undefined && endpoint.events.includes(`${item.resource}.created`) && !excused.has(record)) say(`${told(item)} was not announced as created`)
      }
    }
  }
  return faults
}

function contentFaults ({ user: { company }, events }: Endpoint, item: Item, since: number, log: Log): string[] {
  const { type, revision, resource, record } = item
  if (item.company !== company || (record !== undefined && record['company'] !== company)) return [`${told(item)} is of company ${item.company}`]
  const entry = log.entry(company, item)
  if (entry === undefined) return [`${told(item)} is not in the log`]
  const change = type.slice(resource.length + 1)
  const faults: string[] = []
  if (!events.includes(type) || type !== `${resource}.${change}`) faults.push(`${told(item)} is not subscribed`)
  if (revision <= since) faults.push(`${told(item)} is before the beginning, ${since}`)
  if ((change === 'deleted') !== (entry.operation === 'delete')) faults.push(`${told(item)} is of the log's ${entry.operation}`)
  if (change === 'updated' && entry.operation === 'insert') faults.push(`${told(item)} is of the log's insert`)
  if ((record === undefined) !== (change === 'deleted')) faults.push(`${told(item)} has ${record === undefined ? 'no' : 'a'} record`)
  if (record === undefined) return faults
  const version = Number(record['version'])
  if (version < log.versionAt(company, item)) faults.push(`${told(item)} has version ${version}, but that of its revision is ${log.versionAt(company, item)}`)
  const state = log.truth.states.get(`${company} ${recordOf(item)} ${version}`)
  // A record of the demo data that has not changed since has no logged state.
  const stored = state ?? log.truth.records.get(`${company} ${recordOf(item)}`)
  if (stored === undefined || JSON.stringify(JSON.parse(stored)) !== JSON.stringify(record)) faults.push(`${told(item)} is ${JSON.stringify(record)}, but was never more than ${stored}`)
  return faults
}

function told (item: Item): string {
  return `${item.type} ${item.id} at ${item.revision}`
}
