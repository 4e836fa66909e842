import type { Row } from '../../database/sql.ts'
import { revisionOf, type Revision } from '../../http/representation.ts'
import { largestId } from '../declaration/conditions.ts'
import type { CompanyResource } from '../declaration/define.ts'
import type { Reader } from '../declaration/scope.ts'
import { cursorOf, ordered, printCursor, resync, schemaOf, type Cursor, type FeedQuery, type Place } from './cursor.ts'
import { feedSchemas } from './schemas.ts'
import { changesQuery, mostExamined, snapshotQuery } from './statement.ts'

/** Changes of a cursor that is at most this many revisions behind are read together with other requests. */
const near = 100

/** A page of the feed, from one snapshot of the database. `body` is its JSON, in which the database has written the records. */
export interface FeedPage extends Revision {
  body: string
}

/** The cursor of a client without records. */
function startOf (company: number, resources: string[]): Cursor {
  return { company, resources, seen: { revision: 0, stamp: 0 }, ids: resources.map(() => 0), after: 0, place: { phase: 'snapshot', resource: resources[0] as string, id: 0 } }
}

/** Whether a client with this cursor has the state of the revision. */
export function isCurrent ({ seen, after, place }: Cursor, { revision, stamp }: Revision): boolean {
  return place === undefined && after === revision && seen.revision === revision && seen.stamp === stamp
}

/** The tenant of a request: its company, the revision at authorization, and reads of its data. */
interface Source extends Revision {
  company: number
  read: Reader
}

/** The change feed of some resources: first a snapshot of all records by resource and id, then the changes since its start. */
export interface ChangeFeed {
  /** Digest of the form of its pages. */
  schema: string
  schemas: ReturnType<typeof feedSchemas>
  /** The cursor of a request, or one at the start. @throws as {@link cursorOf} */
  cursorOf: (query: FeedQuery, company: number) => Cursor
  /** Reads the page after a cursor, with at most `size` changes. @throws {HttpError} 410 */
  page: (tenant: Source, cursor: Cursor, size: number) => Promise<FeedPage>
  /** The text of a cursor at a revision. The records that the client has are unknown. */
  printAt: (company: number, revision: Revision) => string
}

/** @param all the resources of the feed, in order */
export function changeFeed (all: readonly CompanyResource[]): ChangeFeed {
  const schema = schemaOf(all)
  const snapshot = snapshotQuery(all)
  const changes = changesQuery(all)
  const farChanges = { ...changes, slow: true }
  const nameOf = ({ resource }: Row) => (all[resource] as CompanyResource).name
  const indexOf = (name: string) => all.findIndex(resource => resource.name === name)

  const names = all.map(({ name }) => name)

  async function page (tenant: Source, cursor: Cursor, size: number): Promise<FeedPage> {
    const inSnapshot = cursor.place?.phase === 'snapshot'
    const values = [cursor.seen.revision, cursor.seen.stamp, cursor.after, size, ...all.map(({ name }) => cursor.ids[cursor.resources.indexOf(name)] ?? 0)]
    const rows = inSnapshot
      ? await tenant.read(snapshot, [...values, ...afterIds(cursor)])
      : await tenant.read(tenant.revision - cursor.after > near ? farChanges : changes, [...values, ...afterEntry(cursor)])
    const [first] = rows as [Row]
    if (first['reason'] !== null) throw resync(first['reason'])

    const seen = revisionOf(first)
    const listed = rows.filter(row => row['id'] !== null && row['is_listed'] !== false)
    const page = listed.slice(0, size)
    const stays = inSnapshot ? nextInSnapshot(cursor, seen, page, listed.length > size) : nextInLog(seen, listed.length > size ? page.at(-1) : rows.find(row => row['place'] === mostExamined))
    const next: Cursor = { ...cursor, seen, ids: cursor.resources.map(name => first[`last_${name}`]), ...stays }
    const hasMore = !isCurrent(next, seen)
    const answer = { cursor: printCursor(schema, next), has_more: hasMore, revision: seen.revision, ...hasMore ? {} : { counts: Object.fromEntries(cursor.resources.map(name => [name, first[`count_${name}`]])) } }
    return { ...seen, body: `{"changes":[${page.map(row => changeText(row, seen)).join()}],${JSON.stringify(answer).slice(1)}` }
  }

  /** For each resource, the id after which its records follow; null if it is left out. */
  function afterIds ({ resources, place }: Cursor): Array<number | null> {
    const { resource, id } = place as Place
    const current = indexOf(resource)
    return all.map(({ name }, index) => !resources.includes(name) || index < current ? null : index === current ? id : 0)
  }

  /** The revision of the next entry, or that of the last one with its resource and id; and the indexes of the wanted resources. */
  function afterEntry ({ resources, after, place }: Cursor): unknown[] {
    return [...place === undefined ? [after + 1, '', 0] : [after, place.resource, place.id], resources.map(indexOf).join()]
  }

  function changeText (row: Row, { revision }: Revision): string {
    const { id, record, revision_at: at } = row
    const head = `{"resource":"${nameOf(row)}","id":${id},"revision":${at ?? revision}`
    return record === null ? `${head},"deleted":true}` : `${head},"record":${record}}`
  }

  /** The position after a page of the snapshot. The changes since its start follow at its end. */
  function nextInSnapshot ({ seen, after }: Cursor, { revision }: Revision, page: Row[], isFull: boolean): Pick<Cursor, 'after' | 'place'> {
    const start = seen.revision === 0 ? revision : after
    const last = page.at(-1) as Row
    return { after: start, place: isFull ? { phase: 'snapshot', resource: nameOf(last), id: last['id'] } : undefined }
  }

  /** The position after a page of changes. @param last the last entry, if more can follow */
  function nextInLog ({ revision }: Revision, last: Row | undefined): Pick<Cursor, 'after' | 'place'> {
    return last === undefined ? { after: revision, place: undefined } : { after: last['revision_at'], place: { phase: 'changes', resource: last['name'], id: last['id'] } }
  }

  return {
    schema,
    schemas: feedSchemas(all),
    cursorOf: (query, company) => cursorOf(query, all, company) ?? startOf(company, ordered(query.resources ?? names, all)),
    page,
    printAt: (company, seen) => printCursor(schema, { company, resources: names, seen, ids: names.map(() => largestId), after: seen.revision, place: undefined })
  }
}
