import { limits } from '../../config/limits.ts'
import { rememberedDays } from '../../limits/known-addresses.ts'
import { lifetimes } from '../../auth/claims.ts'
import { deliveryDays } from '../../domain/webhooks/deliveries.ts'

/** The tables with rows that expire. */
export const purgedTables = [
  'known_addresses', 'refresh_tokens', 'sessions', 'idempotency_keys', 'mutations', 'device_refs', 'devices', 'webhook_deliveries',
  'changes'
] as const

export type PurgedTable = typeof purgedTables[number]

/** SQL of the `ctid`s of a table's expired rows. */
export interface Expired {
  table: PurgedTable
  /** Ends with a `where` clause, to which the purge adds a condition. */
  rows: string
  /** Skips locked rows. Empty if the service's role cannot lock rows of the table. */
  locking: string
}

const day = 24 * 60 * 60

/** Seconds after which no token of a session is valid, plus a day for clock differences. */
const sessionRetention = lifetimes.refresh + day

/**
 * Seconds after which no server reads the row of a spent refresh token, with a margin for clock differences. While the successor is unused,
 * its own row is enough to issue it again (decision 41).
 */
const spentTokenRetention = 10 * 60

const ago = (seconds: number) => `statement_timestamp() - make_interval(secs => ${seconds})`

/** Expired rows that belong to no company. */
export const expired: Expired[] = [
  {
    table: 'known_addresses',
    locking: 'for update of k skip locked',
    rows: `select k.ctid from known_addresses k where k.logged_in_on <= current_date - ${rememberedDays}`
  },
  {
    table: 'refresh_tokens',
    locking: 'for update of r skip locked',
    rows: `select r.ctid from refresh_tokens r where r.spent_at <= ${ago(spentTokenRetention)}`
  },
  {
    table: 'sessions',
    locking: 'for update of s skip locked',
    rows: `select s.ctid from sessions s where least(s.revoked_at, s.expires_at) <= ${ago(sessionRetention)}`
  },
  // Sessions whose last refresh token has expired.
  {
    table: 'sessions',
    locking: 'for update of s skip locked',
    rows: `
      select s.ctid from refresh_tokens r join sessions s on s.id = r.session_id
      where r.spent_at is null and r.created_at <= ${ago(sessionRetention)}`
  }
]

/** Expired idempotency keys of requests about accounts. */
export const expiredAccountKeys: Expired = {
  table: 'idempotency_keys',
  locking: '',
  rows: `select k.ctid from idempotency_keys k where k.company_id is null and k.created_at <= ${ago(day)}`
}

/** Seconds for which results are kept, and devices with their refs after their last use. */
const deviceRetention = limits.devices.idleMs / 1000

const ofCompanies = (table: PurgedTable, rows: string): Expired => ({ table, locking: '', rows })

/** Rows of a table that are older than so many seconds. */
const older = (table: PurgedTable, seconds: number) => ofCompanies(table,
  `select t.ctid from ${table} t where t.company_id = any ($2::int[]) and t.created_at <= ${ago(seconds)}`)

const unusedDevice = `d.company_id = any ($2::int[]) and d.used_at <= ${ago(deviceRetention)}`

/** Expired rows of the companies in `$2`. A device is removed after its refs and results. */
export const expiredOfCompanies: Expired[] = [
  older('idempotency_keys', day),
  older('mutations', deviceRetention),
  ofCompanies('device_refs', `
    select f.ctid from devices d join device_refs f on f.company_id = d.company_id and f.device_id = d.id where ${unusedDevice}`),
  ofCompanies('devices', `
    select d.ctid from devices d where ${unusedDevice}
    and not exists (select from device_refs f where f.device_id = d.id) and not exists (select from mutations m where m.device_id = d.id)`),
  older('webhook_deliveries', deliveryDays * day)
]
