import { resources } from '../../../src/domain/resources.ts'
import type { Psql } from '../kernel/psql.ts'

/** An entry of the change log. */
export interface Entry {
  company: number
  revision: number
  resource: string
  id: number
  operation: 'insert' | 'update' | 'delete'
}

/** A state of a cursor. `server` is the process that made it. */
export interface CursorState {
  webhook: number
  revision: number
  leaseSeconds: number | null
}

/** What the database knows at the end of a trial. */
export interface Truth {
  log: Entry[]
  /** Each state that a record has had, as JSON, by `company resource id version`. */
  states: Map<string, string>
  /** The present records as JSON, by `company resource id`. */
  records: Map<string, string>
  /** All states of all cursors, in order. */
  cursors: CursorState[]
  /** Webhooks with a lease. */
  leased: number[]
  /** Successful attempts, as `webhook message`. */
  attempts: Set<string>
}

/** Logs each state of a record and of a cursor, and which process has taken a lease. */
export async function installWatch (psql: Psql): Promise<void> {
  await psql('create table watched_records (seq bigserial, company int, resource text, id bigint, version int, record text)')
  await psql('create table watched_cursors (seq bigserial, webhook bigint, revision bigint, seconds float8)')
  await psql('create table watched_leases (lease uuid primary key, server text)')
  for (const { name, stored } of resources) {
    await psql(`
      create function watch_${name}() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      begin
        insert into watched_records (company, resource, id, version, record)
        select t.company_id, '${name}', t.id, t.version, ${stored.json} from ${name} t where t.company_id = new.company_id and t.id = new.id;
        return null;
      end $$`)
    await psql(`create trigger watch_record after insert or update on ${name} for each row execute function watch_${name}()`)
  }
  await psql(`
    create function watch_cursor() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
    begin
      insert into watched_cursors (webhook, revision, seconds)
      values (new.webhook_id, new.revision, extract(epoch from new.leased_until - clock_timestamp()));
      if new.lease is not null then
        insert into watched_leases values (new.lease, current_setting('application_name')) on conflict do nothing;
      end if;
      return null;
    end $$`)
  await psql('create trigger watch_cursor after insert or update on webhook_cursors for each row execute function watch_cursor()')
}

/** Ends the leases of a process, as their time would. @param webhooks undefined for all @returns the webhooks */
export async function expireLeases (psql: Psql, server?: string, webhooks?: number[]): Promise<number[]> {
  // A suspended server can hold the lock of a row.
  const rows = await psql(`update webhook_cursors set leased_until = clock_timestamp() - interval '1 s' where webhook_id in (
    select webhook_id from webhook_cursors
    where leased_until > clock_timestamp() and ($1::text is null or lease in (select lease from watched_leases where server = $1))
      and ($2::bigint[] is null or webhook_id = any ($2::bigint[]))
    for update skip locked) returning webhook_id as id`, [server ?? null, webhooks ?? null])
  return rows.map(({ id }) => Number(id))
}

/** Webhooks that a process still holds. @param seconds only leases that began in the last seconds */
export async function leasedBy (psql: Psql, server?: string, seconds = Infinity): Promise<number[]> {
  const rows = await psql(`select webhook_id as id from webhook_cursors where lease is not null and extract(epoch from clock_timestamp() - leased_at) < $2::float8
    and ($1::text is null or lease in (select lease from watched_leases where server = $1))`, [server ?? null, seconds])
  return rows.map(({ id }) => Number(id))
}

/** Makes all failed deliveries due, as their time would. */
export async function passTime (psql: Psql): Promise<void> {
  await psql('update webhook_cursors set next_attempt_at = null where next_attempt_at is not null')
}

/** Reads what the database knows. */
export async function readTruth (psql: Psql): Promise<Truth> {
  const log = await psql('select company_id as company, revision, resource, record_id as id, operation from changes order by company_id, revision, resource, record_id')
  const states = await psql("select company || ' ' || resource || ' ' || id || ' ' || version as key, record from watched_records order by seq")
  const cursors = await psql('select webhook, revision, seconds from watched_cursors order by seq')
  const attempts = await psql('select distinct webhook || \' \' || message as key from webhook_deliveries where estado_http between 200 and 299')
  const records = new Map<string, string>()
  for (const { name, stored } of resources) {
    const rows = await psql(`select t.company_id || ' ${name} ' || t.id as key, ${stored.json} as record from ${name} t`)
    for (const { key, record } of rows) records.set(key, record)
  }
  return {
    log: log.map(entry => ({ ...entry, revision: Number(entry['revision']), id: Number(entry['id']) }) as Entry),
    states: new Map(states.map(({ key, record }) => [key, record])),
    records,
    cursors: cursors.map(({ webhook, revision, seconds }) => ({ webhook: Number(webhook), revision: Number(revision), leaseSeconds: seconds === null ? null : Number(seconds) })),
    leased: await leasedBy(psql),
    attempts: new Set(attempts.map(({ key }) => key))
  }
}
