import type { Sql } from '../database/sql.ts'
import { grace, lifetimes } from './claims.ts'
import type { Proven } from './log-in.ts'
import { sessionLives } from './session-state.ts'

/** Result of presenting a refresh token. `at` is the time of its rotation. */
export type Rotation =
  | { outcome: 'rotated', at: Date }
  /** It was spent within the grace period, so it gets the same successor again. */
  | { outcome: 'repeated', at: Date }
  /** Its session has ended. */
  | { outcome: 'ended' }
  /** It was spent longer ago than the grace period, so it may be stolen. The session has been ended. */
  | { outcome: 'stolen' }

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
        select $1::uuid, u.id, clock_timestamp() + make_interval(secs => $2::int) from users u where u.id = $3::int and u.activo and u.password = $5
        for share of u
        returning id, created_at)
      insert into refresh_tokens (session_id, hash, created_at) select id, $4::bytea, created_at from opened returning session_id`,
    values: [sid, lifetimes.session, user, hash, password]
  })
  return rows.length === 1
}

/** Replaces a refresh token by its successor, by compare-and-swap: one of several simultaneous callers rotates, the others get `repeated`. */
export async function rotate (sql: Sql, sid: string, hash: Buffer, successor: Buffer, now: Date): Promise<Rotation> {
  const swapped = await sql.query({
    name: 'rotate',
    text: `
      with spent as (
        update refresh_tokens r set spent_at = $4::timestamptz
        from sessions s join users u on u.id = s.user_id
        where r.session_id = $1::uuid and r.hash = $2::bytea and r.spent_at is null
          and s.id = r.session_id and ${sessionLives}
        returning r.session_id),
      forgotten as (
        delete from refresh_tokens r using spent
        where r.session_id = spent.session_id and r.spent_at < $4::timestamptz - make_interval(secs => $5::int))
      insert into refresh_tokens (session_id, hash) select session_id, $3::bytea from spent returning session_id`,
    values: [sid, hash, successor, now.toISOString(), grace]
  })
  if (swapped.length === 1) return { outcome: 'rotated', at: now }

  const [session] = await sql.query({
    name: 'refused rotation',
    text: `
      select ${sessionLives} as live, r.spent_at
      from sessions s join users u on u.id = s.user_id
      left join refresh_tokens r on r.session_id = s.id and r.hash = $2::bytea
      where s.id = $1::uuid`,
    values: [sid, hash]
  })
  if (session?.['live'] !== true) return { outcome: 'ended' }
  const spentAt = session['spent_at'] === null ? undefined : new Date(session['spent_at'])
  if (spentAt !== undefined && now.getTime() - spentAt.getTime() <= grace * 1000) return { outcome: 'repeated', at: spentAt }
  await endSession(sql, sid)
  return { outcome: 'stolen' }
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
  await sql.query({ name: 'end session', text: 'update sessions set revoked_at = clock_timestamp() where id = $1::uuid and revoked_at is null', values: [sid] })
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
