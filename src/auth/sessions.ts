import type { Sql } from '../database/connection/sql.ts'
import { sessionLives } from './authority.ts'
import { grace, lifetimes } from './claims.ts'
import type { Proven } from './log-in.ts'

/** Result of presenting a refresh token. `at` is the time of issue of its successor. */
type Rotation =
  | { outcome: 'rotated', at: Date }
  /** It was spent within the grace period, or its successor is unused. So it gets the same successor again. */
  | { outcome: 'repeated', at: Date }
  /** Its session has ended. */
  | { outcome: 'ended' }
  /** It was spent longer ago and its successor has been used, so it may be stolen. The session has been ended. */
  | { outcome: 'stolen' }

/** The hashes of a pair of tokens. */
interface PairHashes {
  access: Buffer
  refresh: Buffer
}

/**
 * Opens a session with its first refresh token. Locks the user's row, so that a concurrent deactivation or password change either is seen
 * here, or sees the session and ends it.
 * @returns false if the user was deactivated or the password changed since the log-in was proved
 */
export async function openSession (sql: Sql, sid: string, { user, password }: Proven, hash: Buffer): Promise<boolean> {
  const rows = await sql.query({
    name: 'open session',
    text: `
      with opened as (
        insert into sessions (id, user_id, expires_at)
        select $1::uuid, u.id, clock_timestamp() + make_interval(secs => $2::int)
        from users u where u.id = $3::int and u.activo and u.password = $5 for share of u
        returning id, created_at)
      insert into refresh_tokens (session_id, hash, created_at) select id, $4::bytea, created_at from opened returning session_id`,
    values: [sid, lifetimes.session, user, hash, password]
  })
  return rows.length === 1
}

/**
 * Replaces a refresh token by its successor, by compare-and-swap: one of several simultaneous callers rotates, the others get `repeated`.
 * @param now time of issue, by the clock that signs the tokens. The database's clock measures the grace period.
 */
export async function rotate (sql: Sql, sid: string, hash: Buffer, successor: PairHashes, now: Date): Promise<Rotation> {
  const swapped = await sql.query({
    name: 'rotate',
    text: `
      with spent as (
        update refresh_tokens r set spent_at = clock_timestamp(), unused_access = null
        from sessions s join users u on u.id = s.user_id
        where r.session_id = $1::uuid and r.hash = $2::bytea and r.spent_at is null
          and s.id = r.session_id and ${sessionLives}
        returning r.session_id, r.spent_at),
      forgotten as (
        delete from refresh_tokens r using spent
        where r.session_id = spent.session_id and r.spent_at < spent.spent_at - make_interval(secs => $6::int))
      insert into refresh_tokens (session_id, hash, unused_access, created_at)
      select session_id, $3::bytea, $4::bytea, $5::timestamptz from spent returning session_id`,
    values: [sid, hash, successor.refresh, successor.access, now.toISOString(), grace]
  })
  if (swapped.length === 1) return { outcome: 'rotated', at: now }

  // Another caller can renew and use the successor between the two statements. Then the token was spent within the grace period.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const [session] = await sql.query({
      name: 'refused rotation',
      text: `
        select ${sessionLives} as live, r.spent_at > clock_timestamp() - make_interval(secs => $4::int) as recent,
          coalesce(n.created_at, r.spent_at) as issued, n.spent_at is null and n.unused_access is not null as unused
        from sessions s join users u on u.id = s.user_id
        left join refresh_tokens r on r.session_id = s.id and r.hash = $2::bytea
        left join refresh_tokens n on n.session_id = s.id and n.hash = $3::bytea
        where s.id = $1::uuid`,
      values: [sid, hash, successor.refresh, grace]
    })
    if (session?.['live'] !== true) return { outcome: 'ended' }
    if (session['recent'] === true) return { outcome: 'repeated', at: new Date(session['issued']) }
    if (session['unused'] !== true) break
    if (await renew(sql, sid, hash, successor, now)) return { outcome: 'repeated', at: now }
  }
  await endSession(sql, sid)
  return { outcome: 'stolen' }
}

/** Issues an unused successor again and begins a new grace period. @returns false if it has been used meanwhile */
async function renew (sql: Sql, sid: string, hash: Buffer, successor: PairHashes, now: Date): Promise<boolean> {
  const renewed = await sql.query({
    name: 'renew rotation',
    // The successor is locked first, as by its own rotation.
    text: `
      with renewed as (
        update refresh_tokens n set created_at = $4::timestamptz
        where n.session_id = $1::uuid and n.hash = $3::bytea and n.spent_at is null and n.unused_access is not null
        returning n.session_id)
      insert into refresh_tokens (session_id, hash, spent_at) select session_id, $2::bytea, clock_timestamp() from renewed
      on conflict (session_id, hash) do update set spent_at = excluded.spent_at
      returning session_id`,
    values: [sid, hash, successor.refresh, now.toISOString()]
  })
  return renewed.length === 1
}

/** Whether a refresh token is unspent and belongs to a live session of the user. */
export async function isLiveRefreshToken (sql: Sql, sid: string, user: number, hash: Buffer): Promise<boolean> {
  const rows = await sql.query({
    name: 'live refresh token',
    text: `
      select from refresh_tokens r join sessions s on s.id = r.session_id join users u on u.id = s.user_id
      where r.session_id = $1::uuid and u.id = $2::bigint and r.hash = $3::bytea and r.spent_at is null
        and ${sessionLives}`,
    values: [sid, user, hash]
  })
  return rows.length === 1
}

/** Ends a session. From the next request on, every process refuses its tokens. */
export async function endSession (sql: Sql, sid: string): Promise<void> {
  await sql.query({
    name: 'end session',
    text: 'update sessions set revoked_at = clock_timestamp() where id = $1::uuid and revoked_at is null',
    values: [sid]
  })
}

/** Whether a session is live and belongs to the user. */
export async function isLiveSession (sql: Sql, sid: string, user: number): Promise<boolean> {
  const rows = await sql.query({
    name: 'live session',
    text: `
      select from sessions s join users u on u.id = s.user_id
      where s.id = $1::uuid and u.id = $2::bigint and ${sessionLives}`,
    values: [sid, user]
  })
  return rows.length === 1
}
