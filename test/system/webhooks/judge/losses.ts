import { recordOf } from '../items.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Entry } from '../watch.ts'
import type { Generation } from './history.ts'
import type { Log } from './log.ts'

/** Changes that the owner has skipped. */
export interface Skipped {
  /** As `resource id revision`. */
  changes: Set<string>
  /** Records that were skipped at any time. */
  records: Set<string>
}

/** The changes that failed before a skip. */
export function skippedOf ({ receiver, skips }: Endpoint): Skipped {
  const items = skips.flatMap(({ from, to }) => {
    const accepted = receiver.hits.findLast(({ isAccepted, at, items }) => isAccepted && items.length > 0 && at < from)
    return receiver.hits.filter(({ isAccepted, at }) => !isAccepted && at > (accepted?.at ?? 0) && at <= to).flatMap(({ items }) => items)
  })
  return { changes: new Set(items.map(item => `${recordOf(item)} ${item.revision}`)), records: new Set(items.map(recordOf)) }
}

/** Checks that the last change of each record was delivered since the last replay, or since the creation of the webhook. */
export function losses (endpoint: Endpoint, { since, deliveries }: Generation, log: Log, skipped: Skipped): string[] {
  const { name, events, user: { company } } = endpoint
  const items = Map.groupBy(deliveries.flatMap(({ items }) => items), recordOf)
  return [...log.changes(company)].flatMap(([record, changes]) => {
    const last = changes.at(-1) as Entry
    if (last.revision <= since || skipped.changes.has(`${record} ${last.revision}`)) return []
    const delivered = items.get(record) ?? []
    const final = delivered.at(-1)
    const isFinal = final?.revision === last.revision
    const lost = (what: string) => [`${name}: ${what} of ${record} at ${last.revision} is lost; it received ${delivered.map(({ type, revision }) => `${type} at ${revision}`).join(', ') || 'nothing'} after ${since}`]
    const isSubscribed = (change: string) => events.includes(`${last.resource}.${change}`)
    if (last.operation === 'delete') return isSubscribed('deleted') && !isFinal ? lost('the deletion') : []

    const isNew = log.creation(company, record) > since
    if (last.operation === 'update' && isSubscribed('updated') && !isFinal) return lost('the last change')
    if (isNew && isSubscribed('created') && !skipped.records.has(record) && !delivered.some(({ type }) => type.endsWith('.created'))) return lost('the creation')
    const stored = log.truth.records.get(`${company} ${record}`)
    if (isFinal && JSON.stringify(final.record) !== JSON.stringify(JSON.parse(stored ?? 'null'))) return lost('the last state')
    return []
  })
}
