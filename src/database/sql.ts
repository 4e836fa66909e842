import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { contention, statements as channel } from './channels.ts'

/**
 * A statement for the driver's own client. A `name` has it prepared once a connection; the text must then never
 * change. `values` are driver values: arrays become PostgreSQL arrays.
 */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
}

/** A row by column name: numbers for `int` and `bigint`, strings for `numeric`, `date` and (as ISO 8601 UTC) instants. */
export type Row = Record<string, any>

/** The two ways in which hot statements reach the database, the same on PostgreSQL and on the embedded one. */
export interface Sql {
  /** One statement in which no company's data is visible: accounts, sessions, revisions. */
  query: (statement: Statement) => Promise<Row[]>
  /**
   * Statements in one transaction and one round trip, in which the policies admit `companies` and nothing else.
   * @throws the first statement's error; nothing of the transaction is kept then
   */
  within: (companies: number[], mode: 'read only' | 'read write', statements: Statement[]) => Promise<Row[][]>
}

const asIs = (value: string) => value

/**
 * The connection is in UTC: `2026-03-01 15:04:05[.123456]+00`. Always microseconds, where PostgreSQL leaves out zeros at the end: clients
 * compare and parse text of one form.
 */
function instant (value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, '0')}Z`
}

/** Column type (by PostgreSQL's oid) to JavaScript value, where the drivers' own choice is not ours; set on every connection. */
export const parsers: Record<number, (value: string) => unknown> = {
  20: Number, // bigint: revisions and counts, far below 2^53
  1082: asIs, // date
  1114: asIs, // timestamp
  1184: instant, // timestamptz
  1700: asIs // numeric
}

/** Sets the companies that the policies admit until the transaction ends. */
export function admit (companies: number[]): Statement {
  return { name: 'admit', text: "select set_config('app.companies', $1, true)", values: [`{${companies.join(',')}}`] }
}

/** PostgreSQL's code of an error, which MikroORM keeps on its own. Each has a digit: `EPIPE` is the operating system's. */
export function sqlState (error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Whether the data of a statement is at fault (wrong value, broken constraint), not the database's state. */
export function isDataError (error: unknown): boolean {
  return /^(21|22|23)/.test(sqlState(error) ?? '')
}

/** Whether the error is a lock timeout: another session held the lock for longer than `lock_timeout`. */
export function isLockTimeout (error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** Whether running the same transaction again may succeed: a serialization failure or a deadlock, nothing else. */
export function isRetryable (error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/**
 * Whether the database cannot be reached or will not work now: connection failures, shutdown and start, too many connections, a full disk,
 * broken files, timeouts. An internal error (XX) that ends the session is the server's: on a full disk it says so of each new connection ("could not
 * write init file"). A driver keeps the reasons of a refused connection, one an address, inside.
 */
export function isUnavailable (error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|53|55000|55P03|57|58|25006|40)/.test(state) || (state.startsWith('XX') && (error as { severity?: unknown }).severity === 'FATAL')
  const { code, message, cause, errors } = (error ?? {}) as { code?: unknown, message?: unknown, cause?: unknown, errors?: unknown[] }
  if (typeof code === 'string' && /^E(CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_AGAIN)/.test(code)) return true
  if (/connection (terminated|timeout)|timeout exceeded when trying to connect|query read timeout|is not queryable$/i.test(String(message))) return true
  return errors?.some(isUnavailable) ?? (cause !== undefined && isUnavailable(cause))
}

const attempts = 6
/** Pause in ms between two attempts to lock. */
export const lockPause = 50

/**
 * Retries a transaction after a serialization failure or a deadlock, with a random, growing pause of up to 320 ms.
 * @param deadline instant, by `performance.now()`, until which a lock timeout is retried too; by default it is not
 */
export async function retrying<T> (transaction: () => Promise<T>, deadline = 0): Promise<T> {
  for (let attempt = 1; ;) {
    try {
      return await transaction()
    } catch (error) {
      if (isLockTimeout(error) && performance.now() + lockPause < deadline) {
        await sleep(lockPause)
        continue
      }
      if (attempt === attempts || !isRetryable(error)) throw error
      contention.publish('retried')
      await sleep(Math.random() * 10 * 2 ** attempt++)
    }
  }
}

/** Publishes each statement, without its values, on a diagnostics channel if it has subscribers. */
export function tracedSql (sql: Sql): Sql {
  return {
    query: (statement) => channel.start.hasSubscribers
      ? channel.tracePromise(sql.query, { statements: [statement] }, sql, statement)
      : sql.query(statement),

    within: (companies, mode, statements) => channel.start.hasSubscribers
      ? channel.tracePromise(sql.within, { statements }, sql, companies, mode, statements)
      : sql.within(companies, mode, statements)
  }
}

/** Hot statements on a pool whose clients pipeline: a transaction's statements travel together. */
export function postgresSql (pool: pg.Pool): Sql {
  const send = async (client: pg.ClientBase | pg.Pool, statement: Statement): Promise<Row[]> =>
    (await client.query(statement)).rows

  return {
    query: async (statement) => await send(pool, statement),

    async within (companies, mode, statements) {
      const client = await pool.connect()
      const sent = await Promise.allSettled([
        client.query(`begin ${mode}`),
        send(client, admit(companies)),
        ...statements.map(async statement => await send(client, statement)),
        client.query('commit') // after a failed statement the server takes it for a rollback
      ])
      const errors = sent.filter(result => result.status === 'rejected').map(result => result.reason)
      // Without a code of the server's the connection itself has failed: the pool must not lend it again.
      client.release(errors.some(error => sqlState(error) === undefined))
      if (errors.length > 0) throw errors[0]
      return sent.slice(2, -1).map(result => (result as PromiseFulfilledResult<Row[]>).value)
    }
  }
}
