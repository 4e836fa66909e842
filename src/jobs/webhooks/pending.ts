import type { Row, Statement } from '../../database/connection/sql.ts'
import { wordsOf } from '../../resources/declaration/fields.ts'
import { highestId } from '../../resources/feed/statement.ts'
import { resources } from '../../domain/resources.ts'
import type { DeliveryCursor } from './cursor.ts'
import { usualEventTypes } from '../../domain/webhooks/resource.ts'

/** A change to deliver. */
export interface Change {
  type: string
  revision: number
  resource: string
  id: number
  /** Time of the commit. */
  at: string
  /** The record as JSON in its latest state. Null if it is deleted. */
  record: string | null
}

/** The next changes of a webhook. */
export interface Pending {
  url: string
  /** Its secrets, sealed. */
  secrets: string
  batch: number
  changes: Change[]
  /** The cursor after the first `count` changes. Without `count`, after all entries that were examined. */
  after: (count?: number) => DeliveryCursor
}

/** Entries of the log that one read examines. */
const maxExamined = 2000

/** SQL of a value for each resource of a change. */
function byResource (value: (resource: typeof resources[number]) => string): string {
  return `case c.resource ${resources.map(resource => `when '${resource.name}' then ${value(resource)}`).join(' ')} end`
}

const ofRecord = 't.company_id = w.company_id and t.id = c.record_id'
const recordJson = byResource(({ name, stored }) => `(select ${stored.json} from ${name} t where ${ofRecord})`)
const createdAt = byResource(({ name }) => `(select t.created_at from ${name} t where ${ofRecord})`)
const highest = resources.map(({ name }) => `'${name}', coalesce(${highestId(name, 'c.company_id')}, 0)`).join(', ')

/** SQL: whether the log has another entry of the record. */
function hasEntry (condition: string): string {
  return `exists (
            select from changes n
            where n.company_id = w.company_id and n.resource = c.resource and n.record_id = c.record_id and ${condition})`
}

/** SQL: whether the window has a later entry of the record. Then that one is delivered. */
const isOverwritten = hasEntry("n.revision > c.revision and n.revision <= v.horizon and n.operation <> 'insert'")

/** SQL: whether the record is new since the last horizon: by its id, by an entry of its creation, or after a replay by its time. */
const isNew = `(
  c.record_id > coalesce((v.position -> 'known' ->> c.resource)::bigint, 0)
  or ${hasEntry("n.revision > v.start and n.revision < c.revision and n.operation = 'insert'")}
  or (v.position ->> 'created_after' is not null and ${createdAt} > (v.position ->> 'created_after')::timestamptz))`

/** SQL of the names of a change's event. The webhook receives the first one that it has chosen. */
const changeNames = `
  case
    when c.operation = 'delete' then array['deleted']
    when c.operation = 'insert' then array['created']
    when ${isNew} then array['created', 'updated']
    else array['updated']
  end`

/** SQL of the window: where it starts and ends, with the highest ids at its end. `kept` is the position of a window that is not too old. */
const window = `
    select p.position, p.revision,
      coalesce((p.position ->> 'start')::bigint, p.revision) as start,
      coalesce((p.kept ->> 'horizon')::bigint, c.revision) as horizon,
      coalesce(p.kept -> 'next_known', jsonb_build_object(${highest})) as next_known,
      coalesce((p.kept ->> 'opened')::timestamptz, clock_timestamp()) as opened,
      ${wordsOf('w.events', usualEventTypes)} as events
    from company_revisions c cross join (
      select $3::bigint as revision, $4::jsonb as position,
        case when ($4::jsonb ->> 'opened')::timestamptz > clock_timestamp() - interval '6 days' then $4::jsonb end as kept) p
    where c.company_id = w.company_id offset 0`

/** SQL of the next entries of the log, by revision and record. */
const examined = `
          select c.revision, c.resource, c.record_id, c.operation, c.changed_at,
            row_number() over (order by c.revision, c.resource, c.record_id) as nth
          from changes c
          where c.company_id = w.company_id and c.revision > v.revision and c.revision <= v.horizon
            and (c.revision > v.revision + 1
              or (c.resource, c.record_id) > (v.position ->> 'resource', (v.position ->> 'record_id')::bigint))
          order by c.revision, c.resource, c.record_id limit ${maxExamined}`

/**
 * Values: webhook, company, revision, and the position as JSON. A horizon older than six days is replaced: after seven days, the purge
 * removes entries before it whose records have later ones. Then "created" can be repeated, but none is missed.
 */
const text = `
  select w.url, w.secrets, w.batch, v.start, v.horizon, v.next_known, v.opened, e.*
  from webhooks w
  cross join lateral (${window}) v
  left join lateral (
    select * from (
      select c.nth, c.revision, c.resource, c.record_id, c.changed_at, c.type,
        case when c.type not like '%.deleted' then ${recordJson} end as record
      from (
        select c.*, case when not ${isOverwritten}
          then (
            select c.resource || '.' || change
            from unnest(${changeNames}) with ordinality as o (change, nth)
            where c.resource || '.' || change = any (v.events) order by nth limit 1) end as type
        from (${examined}) c
        offset 0) c
      offset 0) c
    where (c.type is not null and (c.record is not null or c.type like '%.deleted')) or c.nth = ${maxExamined}
    limit w.batch + 1) e on true
  where w.id = $1 and w.company_id = $2 and w.activo
  order by e.nth`

/** The statement that reads the next changes of a webhook. It returns no row if the webhook is gone or inactive. */
export function pendingStatement (webhook: number, company: number, { revision, position }: DeliveryCursor): Statement {
  return { name: 'webhook changes', text, values: [webhook, company, revision, JSON.stringify(position)] }
}

/** The result of {@link pendingStatement}. */
export function pendingOf (rows: Row[], { position }: DeliveryCursor): Pending | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const { url, secrets, batch, start, horizon, next_known: nextKnown, opened } = first
  const found = rows.filter(isListed)
  const listed = found.slice(0, batch)
  const lastExamined = rows.find(({ nth }) => nth === maxExamined)

  const within = { ...position, start, horizon, next_known: nextKnown, opened, sent: null }
  /** The cursor after an entry. */
  const afterEntry = ({ revision, resource, record_id: id }: Row): DeliveryCursor => (
    { revision: revision - 1, position: { ...within, resource, record_id: id } })
  const atHorizon: DeliveryCursor = { revision: horizon, position: { ...beforeWindow, known: nextKnown } }
  return {
    url,
    secrets,
    batch,
    changes: listed.map(changeOf),
    after (count = listed.length) {
      if (count < found.length) return afterEntry(listed[count - 1])
      return lastExamined === undefined ? atHorizon : afterEntry(lastExamined)
    }
  }
}

/** A position at the end of a window, before the next one. */
const beforeWindow = { resource: '', record_id: 0, start: null, horizon: null, next_known: null, opened: null }

function changeOf ({ type, revision, resource, record_id: id, changed_at: at, record }: Row): Change {
  return { type, revision, resource, id, at, record }
}

/** Whether an entry is delivered. The last examined one is returned in any case. A record without a row is deleted by a later entry. */
function isListed ({ type, record }: Row): boolean {
  return type != null && (record !== null || type.endsWith('.deleted'))
}
