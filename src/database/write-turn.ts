import { LRUCache } from 'lru-cache'
import { isDataError, isLockTimeout, retrying, type Row, type Sql, sqlState, type Statement } from './sql.ts'
import { attemptSlowWrite, divideConnections, type Shares } from './shares.ts'
import { batch, longestWait } from './turn.ts'
import { type BatchRequest, companiesOf, most, combined } from './turns.ts'

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

/** SQL condition on `sessions s` and `users u`: the session is neither revoked nor expired and its user is active. */
export const sessionLives = 's.revoked_at is null and s.expires_at > clock_timestamp() and u.activo'

/** The caller of a write, as authenticated. */
export interface TurnCaller extends LevelInputs {
  sid: string
  company: number
}

/**
 * A statement that fails the transaction if a caller's session has ended or an input of the level has changed. It runs after the lock, so it
 * sees writes that were committed during the wait.
 * @returns no statement without callers
 */
export function checkCallers (callers: TurnCaller[]): Statement[] {
  // Requests of one client often share a session.
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

// `offset 0` keeps the index lookup, even if the statement was planned with old statistics.
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

/** A request with its deadline. */
type Write = BatchRequest & { deadline: number }

/** A company's own turns. */
interface OwnTurns {
  run: (request: Write) => Promise<Row[]>
  /** Whether the last batch with the company ended with a lock timeout. */
  isLocked: boolean
}

const isolates = (error: unknown) => isDataError(error) || isChangedCaller(error)
const deadlineOf = ({ deadline }: Write) => deadline

/**
 * Writes of all companies in common turns. A locked company gets its own turns, so that other companies do not wait for its lock: during a
 * unit of work of the company in this process, and from a lock timeout until one of its own turns gets the lock.
 */
export function writeTurn (sql: Sql, shares: Shares = divideConnections(1)): (request: BatchRequest) => Promise<Row[]> {
  const own = new LRUCache<number, OwnTurns>({ max: 1000, memoMethod: company => ownTurns(sql, shares, company) })
  const isApart = (company: number) => shares.units.active.has(company) || own.get(company)?.isLocked === true
  // A lock timeout without a locked company is due to another locked row. Then each request runs by itself, and only requests for that row fail.
  const common = batch(writeUnlocked, { name: 'write', inFlight: 1, most, isolates: error => isolates(error) || isLockTimeout(error), deadlineOf })

  /** Writes for companies that are not locked. @returns undefined for a request of a locked company */
  async function writeUnlocked (requests: Write[]): Promise<Array<Row[] | undefined>> {
    while (true) {
      const unlocked = requests.filter(({ company }) => !isApart(company))
      if (unlocked.length === 0) return requests.map(() => undefined)
      try {
        const answers = await write(sql, unlocked)
        const places = new Map(unlocked.map((request, place) => [request, place]))
        return requests.map(request => answers[places.get(request) as number])
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        const locked = await lockedOf(sql, companiesOf(unlocked))
        if (locked.length === 0) throw error
        for (const company of locked) own.memo(company).isLocked = true
      }
    }
  }

  return async (request) => {
    const one = { ...request, deadline: request.deadline ?? performance.now() + longestWait }
    const rows = isApart(one.company) ? undefined : await common(one)
    return rows ?? await own.memo(one.company).run(one)
  }
}

/** The turns of one company. They wait for the lock without a connection between attempts, each request until its own deadline. */
function ownTurns (sql: Sql, shares: Shares, company: number): OwnTurns {
  let isRetry = false
  const turns: OwnTurns = {
    isLocked: false,
    run: batch(async (requests: Write[]) => {
      try {
        const answers = await write(sql, requests)
        turns.isLocked = isRetry = false
        return answers
      } catch (error) {
        turns.isLocked = isRetry = isLockTimeout(error)
        throw error
      }
    }, {
      name: 'write apart',
      inFlight: 1,
      most,
      isolates,
      repeats: isLockTimeout,
      admit: async run => await attemptSlowWrite(shares, company, isRetry, Infinity, run),
      patience: Infinity,
      longest: longestWait,
      deadlineOf
    })
  }
  return turns
}

async function write (sql: Sql, requests: BatchRequest[]): Promise<Row[][]> {
  const companies = companiesOf(requests)
  const { statements, deal } = combined(requests)
  const before = [lock(companies), ...checkCallers(requests.flatMap(({ caller }) => caller ?? []))]
  const results = await retrying(async () => await sql.within(companies, 'read write', [...before, ...statements]))
  return deal(results.slice(before.length))
}

/** Locks the companies' revisions before the write, so that what the transaction reads stays true until the commit. */
function lock (companies: number[]): Statement {
  return { name: 'lock', text: 'select lock_companies($1::int[])', values: [companies] }
}

/** The companies that another session has locked now. After a lock timeout, a single company counts as locked. */
async function lockedOf (sql: Sql, companies: number[]): Promise<number[]> {
  if (companies.length === 1) return companies
  const rows = await sql.query({ text: 'select unnest(locked_companies($1::int[])) as company', values: [companies] })
  return rows.map(({ company }) => company)
}
