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
  /** The place after the first `count` changes. Without `count`, after all entries that were examined. */
  after: (count?: number) => DeliveryCursor
}

/** Entries of the log that one read examines. */
const mostExamined = 2000

const byResource = (value: (resource: typeof resources[number]) => string) => resources.map(resource => `when '${resource.name}' then ${value(resource)}`).join(' ')
const highest = resources.map(({ name }) => `'${name}', coalesce(${highestId(name, 'c.company_id')}, 0)`).join(', ')

/**
 * Values: webhook, company, revision, and the position as JSON. A horizon older than six days is replaced: after seven days, the purge removes
 * entries before it whose records have later ones. Then "created" can be repeated, but none is missed.
 */
const text = `
  select w.url, w.secrets, w.batch, v.start, v.horizon, v.next_known, v.opened, e.*
  from webhooks w
  cross join lateral (
    select p.position, p.revision, coalesce((p.position ->> 'start')::bigint, p.revision) as start, coalesce((p.kept ->> 'horizon')::bigint, c.revision) as horizon,
      coalesce(p.kept -> 'next_known', jsonb_build_object(${highest})) as next_known, coalesce((p.kept ->> 'opened')::timestamptz, clock_timestamp()) as opened,
      ${wordsOf('w.events', usualEventTypes)} as events
    from company_revisions c cross join (
      select $3::bigint as revision, $4::jsonb as position, case when ($4::jsonb ->> 'opened')::timestamptz > clock_timestamp() - interval '6 days' then $4::jsonb end as kept) p
    where c.company_id = w.company_id offset 0) v
  left join lateral (
    select * from (
      select c.nth, c.revision, c.resource, c.record_id, c.changed_at, c.type,
        case when c.type not like '%.deleted' then case c.resource ${byResource(({ name, stored }) => `(select ${stored.json} from ${name} t where t.company_id = w.company_id and t.id = c.record_id)`)} end end as record
      from (
        select c.*, case when not exists (
          select from changes n
          where n.company_id = w.company_id and n.resource = c.resource and n.record_id = c.record_id and n.revision > c.revision and n.revision <= v.horizon and n.operation <> 'insert')
          then (
            select c.resource || '.' || change
            from unnest(case
              when c.operation = 'delete' then array['deleted']
              when c.operation = 'insert' then array['created']
              when c.record_id > coalesce((v.position -> 'known' ->> c.resource)::bigint, 0) or exists (
                select from changes n
                where n.company_id = w.company_id and n.resource = c.resource and n.record_id = c.record_id and n.revision > v.start and n.revision < c.revision and n.operation = 'insert')
                or (v.position ->> 'created_after' is not null and case c.resource ${byResource(({ name }) => `(select t.created_at > (v.position ->> 'created_after')::timestamptz from ${name} t where t.company_id = w.company_id and t.id = c.record_id)`)} end)
                then array['created', 'updated']
              else array['updated'] end) with ordinality as o (change, nth)
            where c.resource || '.' || change = any (v.events) order by nth limit 1) end as type
        from (
          select c.revision, c.resource, c.record_id, c.operation, c.changed_at, row_number() over (order by c.revision, c.resource, c.record_id) as nth
          from changes c
          where c.company_id = w.company_id and c.revision > v.revision and c.revision <= v.horizon
            and (c.revision > v.revision + 1 or (c.resource, c.record_id) > (v.position ->> 'resource', (v.position ->> 'record_id')::bigint))
          order by c.revision, c.resource, c.record_id limit ${mostExamined}) c
        offset 0) c
      offset 0) c
    where (c.type is not null and (c.record is not null or c.type like '%.deleted')) or c.nth = ${mostExamined}
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
  const lastExamined = rows.find(({ nth }) => nth === mostExamined)

  /** The place after an entry. */
  const at = ({ revision, resource, record_id: id }: Row): DeliveryCursor => ({ revision: revision - 1, position: { ...position, resource, record_id: id, start, horizon, next_known: nextKnown, opened, sent: null } })
  const end: DeliveryCursor = { revision: horizon, position: { resource: '', record_id: 0, known: nextKnown, start: null, horizon: null, next_known: null, opened: null } }
  return {
    url,
    secrets,
    batch,
    changes: listed.map(({ type, revision, resource, record_id: id, changed_at: changed, record }) => ({ type, revision, resource, id, at: changed, record })),
    after (count = listed.length) {
      if (count < found.length) return at(listed[count - 1] as Row)
      return lastExamined === undefined ? end : at(lastExamined)
    }
  }
}

/** Whether an entry is delivered. The last examined one is returned in any case. A record without a row is deleted by a later entry. */
function isListed ({ type, record }: Row): boolean {
  return type != null && (record !== null || type.endsWith('.deleted'))
}
