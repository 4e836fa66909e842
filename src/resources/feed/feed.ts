import type { Row } from '../../database/connection/sql.ts'
import type { Run } from '../../database/turns/unit-of-work.ts'
import { isSameRevision, revisionOf, type Revision } from '../../http/representation.ts'
import { largestId } from '../validation/convert.ts'
import { ordered, printCursor, readCursor, resync, usualOf, type FeedCursor, type FeedQuery, type Last } from './cursor.ts'
import { commonForm } from './forms.ts'
import { refsOf } from './refs.ts'
import { rootColumn, rootOf, rootsOf } from './root.ts'
import { feedSchemas } from './schemas.ts'
import { changesQuery, mostExamined } from './changes.ts'
import { snapshotQuery } from './snapshot.ts'
import { checkQuery, isEntry, type FeedEntry } from './statement.ts'
import type { FeedTenant } from './feed-tenant.ts'
import type { Resource } from '../declaration/resource.ts'

/** Changes of a cursor that is at most this many revisions behind are read together with other requests. */
const recentRevisions = 100

/** A page of the feed, from one snapshot of the database. `body` is its JSON, in which the database has written the records. */
interface FeedPage extends Revision {
  body: string
}

/** The change feed of some resources: first a snapshot of all records by resource and id, then the changes since its start. */
export interface ChangeFeed {
  /** Digest of the form of its records. */
  form: string
  schemas: ReturnType<typeof feedSchemas>
  /** The cursor of a request, or one at the start. @throws as {@link readCursor} */
  cursorOf: (query: FeedQuery, company: number) => FeedCursor
  /** Reads the page after a cursor, with at most `size` changes and, for a device, its names of the records. @throws {HttpError} 410 */
  page: (tenant: FeedTenant, cursor: FeedCursor, size: number, device?: string) => Promise<FeedPage>
  /**
   * Checks a cursor in a unit of work. @returns a function that prints the cursor with the revision that the unit has reached, at the same
   * position: it is forked if the database loses the unit's commit
   * @throws {HttpError} 410
   */
  continued: (run: Run, cursor: FeedCursor) => Promise<() => Promise<string>>
  /** A cursor at a revision, for the same records as another. It announces all deletes, because the records of the client are unknown. */
  cursorAt: (of: Pick<FeedCursor, 'company' | 'resources' | 'roots'>, revision: Revision) => string
}

/** Whether a client with this cursor has the state of the revision. */
export function isCurrent ({ seen, after, last }: FeedCursor, revision: Revision): boolean {
  return last === undefined && after === revision.revision && isSameRevision(seen, revision)
}

/** Creates the change feed of these resources, in this order. */
export function changeFeed (all: readonly Resource[]): ChangeFeed {
  const names = all.map(({ name }) => name)
  const usual = usualOf(all)
  const snapshot = snapshotQuery(all)
  const changes = changesQuery(all)
  const limited = { snapshot: snapshotQuery(all, true), changes: { ...changesQuery(all, true), slow: true } }
  const slowChanges = { ...changes, slow: true }
  const root = rootOf(all)
  const hasCount = all.map(resource => rootColumn(resource, root) === undefined)
  const indexOf = (name: string) => names.indexOf(name)

  async function page (tenant: FeedTenant, cursor: FeedCursor, size: number, device?: string): Promise<FeedPage> {
    const rows = await readRows(tenant, cursor, size)
    const [first] = rows
    if (first['reason'] !== null) throw resync(first['reason'])

    const now = revisionOf(first)
    const entries = rows.filter(isEntry)
    const shown = entries.slice(0, size)
    const ids = cursor.resources.map(name => first[`last_${name}`])
    const isFull = entries.length > size
    const position = isInSnapshot(cursor) ? afterRecords(cursor, now, shown, isFull) : afterEntries(now, shown, isFull, rows)
    const next: FeedCursor = { ...cursor, seen: now, ids, ...position }
    const present = shown.filter(({ record }) => record !== null).map(({ id }) => id)
    const refs = device === undefined ? undefined : await refsOf(tenant, now, device, present)
    return { ...now, body: bodyOf(next, now, shown, first, refs) }
  }

  /** Reads a page with, if there is one, an entry more than `size`. */
  async function readRows (tenant: FeedTenant, cursor: FeedCursor, size: number): Promise<Row[]> {
    const { seen, after, ids, resources, roots } = cursor
    const common = [seen.revision, seen.stamp, after, size, ...names.map(name => ids[resources.indexOf(name)] ?? 0)]
    if (roots !== undefined && isInSnapshot(cursor)) {
      const { resource, root = 0 } = cursor.last
      return await tenant.read(limited.snapshot, [...common, ...lastIds(cursor), roots.join(), root, indexOf(resource)])
    }
    if (roots !== undefined) return await tenant.read(limited.changes, [...common, ...lastEntry(cursor), roots.join()])
    if (isInSnapshot(cursor)) return await tenant.read(snapshot, [...common, ...lastIds(cursor)])
    const query = tenant.revision - after > recentRevisions ? slowChanges : changes
    return await tenant.read(query, [...common, ...lastEntry(cursor)])
  }

  /** For each resource, the id after which its records follow; null if it is left out. */
  function lastIds ({ pending, last: { resource, id } }: SnapshotCursor): Array<number | null> {
    return names.map(name => !pending.includes(name) ? null : name === resource ? id : 0)
  }

  /** The revision of the next entry, or that of the last one with its resource and id; and the indexes of the wanted resources. */
  function lastEntry ({ resources, after, last }: FeedCursor): unknown[] {
    return [...last === undefined ? [after + 1, '', 0] : [after, last.resource, last.id], resources.map(indexOf).join()]
  }

  /** The position after records of the snapshot. At its end, the changes since its start follow. */
  function afterRecords (
    { seen, after, pending }: FeedCursor, now: Revision, shown: FeedEntry[], isFull: boolean
  ): Position & { pending: string[] } {
    const start = seen.revision === 0 ? now.revision : after
    const end = isFull ? shown.at(-1) : undefined
    if (end === undefined) return { after: start, last: undefined, pending: [] }
    const { id, root } = end
    const resource = names[end.resource]
    const last: Last = { phase: 'snapshot', resource, id, ...root != null && { root } }
    return { after: start, last, pending: pending.slice(pending.indexOf(resource)) }
  }

  /** The position after entries of the log: the last one shown, the last one examined, or the end of the log. */
  function afterEntries ({ revision }: Revision, shown: FeedEntry[], isFull: boolean, rows: Row[]): Position {
    const end: Row | undefined = isFull ? shown.at(-1) : rows.find(({ nth }) => nth === mostExamined)
    if (end === undefined) return { after: revision, last: undefined }
    return { after: end['revision_at'], last: { phase: 'changes', resource: end['name'], id: end['id'] } }
  }

  function bodyOf (next: FeedCursor, now: Revision, shown: FeedEntry[], first: Row, refs?: ReadonlyMap<string, string>): string {
    const hasMore = !isCurrent(next, now)
    const counted = next.resources.filter(name => next.roots === undefined || hasCount[indexOf(name)])
    const counts = Object.fromEntries(counted.map(name => [name, first[`count_${name}`]]))
    const answer = {
      company: next.company, cursor: printCursor(next, all), has_more: hasMore, revision: now.revision, ...hasMore ? {} : { counts }
    }
    return `{"changes":[${shown.map(row => changeText(row, now, refs)).join()}],${JSON.stringify(answer).slice(1)}`
  }

  function changeText (
    { resource, id, record, revision_at: at }: FeedEntry, { revision }: Revision, refs?: ReadonlyMap<string, string>
  ): string {
    const head = `{"resource":"${names[resource]}","id":${id},"revision":${at ?? revision}`
    if (record === null) return `${head},"deleted":true}`
    const ref = refs?.get(`${names[resource]}/${id}`)
    return `${head}${ref === undefined ? '' : `,"ref":${JSON.stringify(ref)}`},"record":${record}}`
  }

  async function continued (run: Run, cursor: FeedCursor): Promise<() => Promise<string>> {
    const { company, seen: { revision, stamp }, after } = cursor
    const check = async () => await run({ text: checkQuery, values: [company, revision, stamp, after] })
    const [{ reason }] = await check()
    if (reason !== null) throw resync(reason)
    return async () => printCursor({ ...cursor, seen: revisionOf((await check())[0]) }, all)
  }

  return {
    form: commonForm(all),
    continued,
    schemas: feedSchemas(all),
    cursorOf: (query, company) =>
      readCursor(query, all, company) ?? startOf(company, ordered(query.resources ?? usual, all), root && rootsOf(query[root.name])),
    page,
    cursorAt: ({ company, resources, roots }, seen) =>
      printCursor(
        { company, resources, roots, seen, pending: [], ids: resources.map(() => largestId), after: seen.revision, last: undefined }, all
      )
  }
}

/** Where a page ends. */
type Position = Pick<FeedCursor, 'after' | 'last'>

/** A cursor in the snapshot. */
type SnapshotCursor = FeedCursor & { last: Last }

function isInSnapshot (cursor: FeedCursor): cursor is SnapshotCursor {
  return cursor.last?.phase === 'snapshot'
}

/** The cursor of a client without records. */
function startOf (company: number, resources: string[], roots: number[] | undefined): FeedCursor {
  return {
    company,
    resources,
    roots,
    pending: resources,
    seen: { revision: 0, stamp: 0 },
    ids: resources.map(() => 0),
    after: 0,
    last: { phase: 'snapshot', resource: resources[0], id: 0 }
  }
}
