import { sqlState, type Statement } from './sql.ts'

/** What decides a user's level in a company. */
export interface LevelInputs {
  /** The account's own level (4–6) or null. */
  account: number | null
  /** The customer that the user belongs to. */
  customer: number | null
  /** The customer that owns the company. */
  companyCustomer: number
  /** The level of the user's membership in the company, or null. */
  membership: number | null
}

/** SQL, over `sessions s` and `users u`: whether the session is neither revoked nor expired and its user is active. */
export const sessionLives = 's.revoked_at is null and s.expires_at > clock_timestamp() and u.activo'

/** The caller of a write, as authenticated. */
export interface TurnCaller extends LevelInputs {
  sid: string
  company: number
}

/**
 * The statement that fails the transaction if a caller's session has ended, or an input of the level in the company has changed. After
 * the lock it sees the commits of the wait.
 * @returns no statement without callers
 */
export function checkCallers (callers: TurnCaller[]): Statement[] {
  // Many requests of one client share a session.
  const rows = [...new Map(callers.map(caller => {
    const row = [caller.sid, caller.company, caller.account, caller.customer, caller.companyCustomer, caller.membership]
    return [row.join(), row] as const
  })).values()]
  if (rows.length === 0) return []
  return [{ name: 'check callers', text: changedCallers, values: [0, 1, 2, 3, 4, 5].map(column => rows.map(row => row[column])) }]
}

/** Whether a write failed because its caller has changed since authentication. */
export function isChangedCaller (error: unknown): boolean {
  return sqlState(error) === 'OB001'
}

// `offset 0` keeps the lookup by index, even if the statement was planned with old statistics.
const changedCallers = `
  select refuse_changed_caller()
  from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[]) as q (sid, company, account, customer, company_customer, membership)
  left join lateral (
    select ${sessionLives} as live, u.nivel_acceso as account, u.customer_id as customer,
      (select c.customer_id from companies c where c.id = q.company) as company_customer,
      (select m.nivel_acceso from memberships m where m.user_id = u.id and m.company_id = q.company) as membership
    from sessions s join users u on u.id = s.user_id where s.id = q.sid offset 0) present on true
  where present.live is not true
    or (present.account, present.customer, present.company_customer, present.membership) is distinct from (q.account, q.customer, q.company_customer, q.membership)
  limit 1`
