import { limits } from '../../config/limits.ts'

/** Settings of a session, by PostgreSQL's names. `role` is `current_user`. */
export type SessionSettings = Readonly<Record<string, string | number>>

/**
 * Settings of every session of the service. The role neither owns tables nor bypasses policies. Generic plans keep PostgreSQL from
 * planning named statements again for each execution. Without sequential scans, a plan that is made for a small table is also good after
 * the table has grown (decision 46).
 */
export const serviceSettings = {
  role: 'obra_app',
  row_security: 'on',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  timezone: 'UTC'
}

/**
 * Settings of the service's sessions. They belong to the login in PostgreSQL, because poolers drop startup options and `DISCARD ALL` resets
 * a session to the settings of its login. An owner's login keeps its own settings, and each connection sets these. Timeouts in ms: a lost
 * host or a forgotten lock must not block others forever. After a short lock timeout the connection is free, and the write is retried.
 */
export const loginSettings: SessionSettings = {
  ...serviceSettings,
  statement_timeout: limits.database.statementMs,
  lock_timeout: limits.database.lockMs,
  idle_in_transaction_session_timeout: 60_000
}

/** Settings of a session of the service on the primary. A standby that was the primary before could have stale revisions. */
export const primarySettings: SessionSettings = { ...loginSettings, in_hot_standby: 'off' }

/** SQL that gives the settings to a session. PostgreSQL itself sets `in_hot_standby`. */
export function setSession (settings: SessionSettings): string {
  return Object.entries(settings)
    .filter(([name]) => name !== 'in_hot_standby').map(([name, value]) => `set ${name} = '${value}'`).join('; ')
}

/** Starts a session as the owner of the tables, or with the rights of a login that has the settings of the service. */
export const startAsOwner = `set role none; set timezone = 'UTC'; set plan_cache_mode = auto; set enable_seqscan = on;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0`
