import type { Row, Statement } from '../database/connection/sql.ts'

/** The values that determine a user's level in a company. */
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

/** The current state of a session in the database. */
export interface State {
  user: number
  /** The session is neither revoked nor expired, and its user is active. */
  live: boolean
  /** End of the session, in seconds since 1970. */
  expires: number
  /** Whether the user is active. */
  active: boolean
  /** The account's own level (4–6) or null, and the customer that the user belongs to. */
  account: number | null
  customer: number | null
  /** The user's bucket and its authority revision. While it is unchanged, only the company's revision with its stamp, and the expiry, can change the state. */
  bucket: number
  authority: number
  /** The user's active company, or the requested one, with the inputs of the level there; null without one. */
  company: (LevelInputs & { id: number, revision: number, stamp: number }) | null
}

/** The statement that reads the revisions of buckets ($1), and the revisions and stamps of companies ($2), in their order. */
export const revisions = `
  select array(select coalesce((select revision from authority_revisions where bucket = b), 0) from unnest($1::int[]) b) as authorities,
    companies, stamps
  from (
    select array_agg(coalesce(r.revision, 0) order by q.i) as companies, array_agg(coalesce(r.stamp, 0) order by q.i) as stamps
    from unnest($2::int[]) with ordinality q (company, i) left join company_revisions r on r.company_id = q.company) n`

/** SQL condition on `sessions s` and `users u`: the session is neither revoked nor expired and its user is active. */
export const sessionLives = 's.revoked_at is null and s.expires_at > clock_timestamp() and u.activo'

const statesIn = (company: string) => `
  select s.id as sid, s.user_id as user, ${sessionLives} as live, extract(epoch from s.expires_at)::float8 as expires, u.activo as active,
    u.id % 256 as bucket, coalesce(a.revision, 0) as authority, c.id as company, r.revision, r.stamp, u.nivel_acceso as account, u.customer_id as customer,
    c.customer_id as company_customer, m.nivel_acceso as membership
  from unnest($1::uuid[]) as q (sid)
  join sessions s on s.id = q.sid
  join users u on u.id = s.user_id
  left join authority_revisions a on a.bucket = u.id % 256
  left join companies c on c.id = ${company}
  left join company_revisions r on r.company_id = c.id
  left join memberships m on m.user_id = u.id and m.company_id = c.id`

/** The statement that reads the states of sessions ($1). */
export const states = statesIn('u.company_id')

const stateInCompany = statesIn('$2::int')

/** The statement that reads the state of a session for the given company. */
export function stateStatement (sid: string, company: number | null): Statement {
  return { name: 'state in company', text: stateInCompany, values: [[sid], company] }
}

/** Reads the state of a session for the given company. */
export async function readStateIn (run: (statement: Statement) => Promise<Row[]>, sid: string, company: number | null): Promise<State | undefined> {
  return stateIn(await run(stateStatement(sid, company)))
}

/** The state in the rows of {@link stateStatement}. */
export function stateIn ([row]: Row[]): State | undefined {
  return row === undefined ? undefined : stateOf(row)
}

/** The state in a row of {@link states}. */
export function stateOf (row: Row): State {
  const company = row['company'] === null
    ? null
    : { id: row['company'], revision: row['revision'], stamp: row['stamp'], account: row['account'], customer: row['customer'], companyCustomer: row['company_customer'], membership: row['membership'] }
  const { user, live, expires, active, account, customer, bucket, authority } = row as State
  return { user, live, expires, active, account, customer, bucket, authority, company }
}
