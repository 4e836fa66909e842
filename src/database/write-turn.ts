import { LRUCache } from 'lru-cache'
import { checkCallers, isChangedCaller } from './callers.ts'
import { batch, longestWait } from './turn.ts'
import { companiesOf, most, together, type Ask } from './asks.ts'
import { retrying } from './retry.ts'
import { attemptSlowWrite, type Shares } from './shares.ts'
import { isDataError, isLockTimeout, type Row, type Sql, type Statement } from './sql.ts'

/** An ask with its deadline. */
type Write = Ask & { deadline: number }

/** A company's own turns. */
interface OwnTurns {
  ask: (ask: Write) => Promise<Row[]>
  /** Whether the last turn with the company ended with a lock timeout. */
  isLocked: boolean
}

const isolates = (error: unknown) => isDataError(error) || isChangedCaller(error)
const deadlineOf = ({ deadline }: Write) => deadline

/**
 * Writes of all companies in common turns. A locked company gets turns of its own, so that other companies do not wait for its lock: during
 * a unit of work of the company in this process, and from a lock timeout until one of its own turns gets the lock.
 */
export function writeTurn (sql: Sql, shares: Shares): (ask: Ask) => Promise<Row[]> {
  const own = new LRUCache<number, OwnTurns>({ max: 1000, memoMethod: company => ownTurns(sql, shares, company) })
  const isApart = (company: number) => shares.units.has(company) || own.get(company)?.isLocked === true
  // A lock timeout without a locked company is due to another locked row. Run alone, only its own asks fail.
  const common = batch(writeUnlocked, { name: 'write', inFlight: 1, most, isolates: error => isolates(error) || isLockTimeout(error), deadlineOf })

  /** Writes for the companies that are not locked. @returns undefined for an ask of a locked company */
  async function writeUnlocked (asks: Write[]): Promise<Array<Row[] | undefined>> {
    while (true) {
      const unlocked = asks.filter(({ company }) => !isApart(company))
      if (unlocked.length === 0) return asks.map(() => undefined)
      try {
        const answers = await write(sql, unlocked)
        const places = new Map(unlocked.map((ask, place) => [ask, place]))
        return asks.map(ask => answers[places.get(ask) as number])
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        const locked = await lockedOf(sql, companiesOf(unlocked))
        if (locked.length === 0) throw error
        for (const company of locked) own.memo(company).isLocked = true
      }
    }
  }

  return async (ask) => {
    const one = { ...ask, deadline: ask.deadline ?? performance.now() + longestWait }
    const rows = isApart(one.company) ? undefined : await common(one)
    return rows ?? await own.memo(one.company).ask(one)
  }
}

/** Its turns wait for the lock without a connection between attempts. Each ask waits until its own deadline. */
function ownTurns (sql: Sql, shares: Shares, company: number): OwnTurns {
  let isRetry = false
  const turns: OwnTurns = {
    isLocked: false,
    ask: batch(async (asks: Write[]) => {
      try {
        const answers = await write(sql, asks)
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

async function write (sql: Sql, asks: Ask[]): Promise<Row[][]> {
  const companies = companiesOf(asks)
  const { statements, deal } = together(asks)
  const before = [lock(companies), ...checkCallers(asks.flatMap(({ caller }) => caller ?? []))]
  const results = await retrying(async () => await sql.within(companies, 'read write', [...before, ...statements]))
  return deal(results.slice(before.length))
}

/** Writers of a company queue on its revision before they write: what they then read stays true until they commit. */
function lock (companies: number[]): Statement {
  return { name: 'lock', text: 'select lock_companies($1::int[])', values: [companies] }
}

/** The companies whose lock another session holds now. A single one that ran into a lock timeout counts as locked. */
async function lockedOf (sql: Sql, companies: number[]): Promise<number[]> {
  if (companies.length === 1) return companies
  const rows = await sql.query({ text: 'select unnest(locked_companies($1::int[])) as company', values: [companies] })
  return rows.map(({ company }) => company)
}
