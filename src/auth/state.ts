import { retrying } from '../database/retry.ts'
import type { Row, Sql } from '../database/sql.ts'
import type { Run } from '../database/transaction.ts'
import { sessionLives, type LevelInputs } from '../database/callers.ts'
import { batch, longestWait } from '../database/turn.ts'

/** What the database says, now, of a session. */
export interface State {
  user: number
  /** Neither revoked nor past its end, of an active user. */
  live: boolean
  /** Whether the user is active. */
  active: boolean
  /** The account's own level (4–6) or null, and the customer that the user belongs to. */
  account: number | null
  customer: number | null
  /** The user's active company, or the requested one, with the inputs of the level there; null without one. */
  company: (LevelInputs & { id: number, revision: number }) | null
}

/** The state turn: every request's session, user, level, company and revision, all that arrive together in one statement. */
export function readStates (sql: Sql): (sid: string) => Promise<State | undefined> {
  return batch(async (sids: string[]) => {
    const distinct = [...new Set(sids)]
    const statement = { name: 'states', text: statesIn('u.company_id'), values: [distinct] }
    const rows = await retrying(async () => await sql.query(statement), performance.now() + longestWait)
    const found = new Map(rows.map(row => [row['sid'] as string, stateOf(row)]))
    return sids.map(sid => found.get(sid))
  }, { name: 'state', inFlight: 1, most: 500 })
}

/** The state of a session within a transaction, for the given company, active or not. */
export async function readStateIn (run: Run, sid: string, company: number | null): Promise<State | undefined> {
  const [row] = await run({ text: statesIn('$2::int'), values: [[sid], company] })
  return row === undefined ? undefined : stateOf(row)
}

function stateOf (row: Row): State {
  const company = row['company'] === null
    ? null
    : { id: row['company'], revision: row['revision'], account: row['account'], customer: row['customer'], companyCustomer: row['company_customer'], membership: row['membership'] }
  return { user: row['user'], live: row['live'], active: row['active'], account: row['account'], customer: row['customer'], company }
}

const statesIn = (company: string) => `
  select s.id as sid, s.user_id as user, ${sessionLives} as live, u.activo as active,
    c.id as company, r.revision, u.nivel_acceso as account, u.customer_id as customer, c.customer_id as company_customer, m.nivel_acceso as membership
  from unnest($1::uuid[]) as q (sid)
  join sessions s on s.id = q.sid
  join users u on u.id = s.user_id
  left join companies c on c.id = ${company}
  left join company_revisions r on r.company_id = c.id
  left join memberships m on m.user_id = u.id and m.company_id = c.id`
