import { Type } from '@sinclair/typebox'
import type { Run, UnitOfWork } from '../../database/turns/unit-of-work.ts'
import { requestRows, type BatchQuery, idType } from '../../database/turns/batch-requests.ts'
import type { Row } from '../../database/connection/sql.ts'
import { httpError, ValidationError } from '../../http/errors.ts'
import { highestId } from '../../resources/feed/statement.ts'
import { readRecord } from '../../resources/reading/record.ts'
import { resources } from '../resources.ts'
import { webhooks } from './resource.ts'
import { rotated, type Secrets } from './secrets.ts'

/** The answer to an action that moves the cursor of a webhook. */
export const Continuation = Type.Object(
  { revision: Type.Integer({ description: 'Deliveries continue with the changes after this revision.', examples: [1042] }) },
  { title: 'Continuation' }
)

const columns = [['id', idType]] as const

/** Reads the address and the sealed secrets of a webhook, by id. */
export const targetQuery: BatchQuery = {
  name: 'webhook target',
  columns,
  text: `
    select q.i, t.company_id as company, t.id, t.url, t.secrets
    from ${requestRows(columns)} join webhooks t on t.company_id = q.company and t.id = q.id`
}

/**
 * Gives a webhook a new secret. The present one signs for another 24 hours.
 * @returns the record with the new secret
 * @throws {HttpError} 404
 */
export async function rotateSecret ({ run, read }: UnitOfWork, company: number, id: number, secrets: Secrets): Promise<Row> {
  const [stored] = await run({ text: 'select secrets from webhooks where company_id = $1 and id = $2', values: [company, id] })
  if (stored === undefined) throw httpError(404)
  // Secrets that were encrypted with a lost key cannot sign.
  const next = rotated(secrets.open(stored['secrets']) ?? [])
  await run({ text: 'update webhooks set secrets = $3 where company_id = $1 and id = $2', values: [company, id, secrets.seal(next)] })
  const record = await readRecord(async (query, values) => await read({ query, company, values }), webhooks, id)
  return { ...record, secret: next.at(-1)?.secret }
}

const clearFailure = 'epoch = epoch + 1, failures = 0, failing_since = null, next_attempt_at = null, skip_to = null'

/** Gives up the delivery that fails. @returns the revision after which deliveries continue @throws {HttpError} 404, 409 if none fails */
export async function skipDelivery (run: Run, company: number, id: number): Promise<number> {
  await requireWebhook(run, company, id)
  const [cursor] = await run({
    text: `update webhook_cursors set revision = (skip_to ->> 'revision')::bigint, position = skip_to -> 'position', ${clearFailure}
      where webhook_id = $1 and company_id = $2 and skip_to is not null returning revision`,
    values: [id, company]
  })
  if (cursor === undefined) throw httpError(409, { key: 'nothingFails' })
  return cursor['revision']
}

/** For each resource, its highest id, or 0 for a replay from the beginning. The log can lack entries of creations. */
const known = resources.map(({ name }) => `'${name}', coalesce(case when s.at is not null then ${highestId(name, '$1')} end, 0)`)

/**
 * The last revision until an instant ($2) of a company ($1): each step halves the revisions between `low` and `high`. The log can have
 * millions of entries after the instant.
 */
const revisionAt = `
  with recursive halves as (
    select 0::bigint as low, r.revision as high from company_revisions r where r.company_id = $1
    union all
    select case when e.is_before then m.middle else h.low end, case when e.is_before then h.high else m.middle - 1 end
    from halves h
    cross join lateral (select (h.low + h.high + 1) / 2 as middle) m
    cross join lateral (select coalesce((
      select c.changed_at <= $2::timestamptz from changes c
      where c.company_id = $1 and c.revision <= m.middle order by c.revision desc limit 1), true) as is_before) e
    where h.low < h.high)
  select (select c.revision from changes c where c.company_id = $1 and c.revision <= h.low order by c.revision desc limit 1) as revision
  from halves h where h.low = h.high`

/**
 * Delivers the changes after a point again.
 * @param since a revision or an instant (ISO 8601)
 * @returns the revision after which deliveries continue
 * @throws {HttpError} 404; {@link ValidationError} under `since` for the future
 */
export async function replayChanges (run: Run, company: number, id: number, since: number | string): Promise<number> {
  await requireWebhook(run, company, id)
  const [revision, instant] = typeof since === 'number' ? [since, null] : [null, since]
  const [{ present, is_future: isFuture }] = await run({
    text: `
      select r.revision as present, $2::timestamptz > clock_timestamp() as is_future from company_revisions r where r.company_id = $1`,
    values: [company, instant]
  })
  const start: number = revision ?? (await run({ text: revisionAt, values: [company, instant] }))[0]?.['revision'] ?? 0
  if (start > present || isFuture === true) throw new ValidationError([{ field: 'since', key: 'futureRevision' }])
  await run({
    text: `
      update webhook_cursors w set revision = s.revision, ${clearFailure},
        position = jsonb_build_object(
          'resource', '', 'record_id', 0, 'known', jsonb_build_object(${known.join(', ')}),
          'horizon', null, 'next_known', null, 'opened', null, 'created_after', s.at)
      from (
        select $3::bigint as revision, (
          select c.changed_at from changes c where c.company_id = $1 and c.revision <= $3 order by c.revision desc limit 1) as at) s
      where w.webhook_id = $2 and w.company_id = $1`,
    values: [company, id, start]
  })
  return start
}

/** @throws {HttpError} 404 */
async function requireWebhook (run: Run, company: number, id: number): Promise<void> {
  const found = await run({ text: 'select from webhooks where company_id = $1 and id = $2', values: [company, id] })
  if (found.length === 0) throw httpError(404)
}
