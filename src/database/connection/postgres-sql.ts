import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg'
import { contention, statements as channel } from './channels.ts'
import { loginSettings } from './session-settings.ts'
import { isFatal, isLockTimeout, isLostStatement, isRetryable, isWrongRole, sqlState, wrongRole } from './sql-errors.ts'
import type { Results, Row, Sql, Statement } from './sql.ts'

const asIs = (value: string) => value

/** Converts PostgreSQL's `2026-03-01 15:04:05[.123456]+00` to ISO 8601. It always has six decimals, so that clients can compare texts. */
function instant (value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, '0')}Z`
}

function numbers (value: string): number[] {
  return value === '{}' ? [] : value.slice(1, -1).split(',').map(Number)
}

/** Parsers by type OID, where the driver's default differs. Set on each connection. */
export const parsers: Record<number, (value: string) => unknown> = {
  20: Number, // bigint: ids, revisions and counts, below 2^53
  1016: numbers, // bigint[] without nulls
  1082: asIs, // date
  1114: asIs, // timestamp
  1184: instant, // timestamptz
  1700: asIs // numeric
}

/**
 * SQL that sets the companies $1, which the policies admit until the end of the transaction. It fails unless the role is `obra_app`,
 * because a pooler can run each transaction in another session. It costs no further statement.
 */
export const admission =
  `case current_user when 'obra_app' then set_config('app.companies', $1, true) else current_setting('${wrongRole}') end`

/**
 * Sets the companies that the policies admit until the end of the transaction.
 * @param timeout of each later statement in ms @throws {@link isWrongRole}
 */
export function setCompanies (companies: number[], timeout?: number): Statement {
  const admitted = `{${companies.join(',')}}`
  if (timeout === undefined) return { name: 'admit', text: `select ${admission}`, values: [admitted] }
  return {
    name: 'admit in time', text: `select ${admission}, set_config('statement_timeout', $2, true)`, values: [admitted, String(timeout)]
  }
}

const attempts = 6
/** Pause in ms between two attempts to lock. */
export const lockPause = 50

/** Wait in ms for a lock that was held at the last attempt. It is short, because others wait for the connection. */
const retryLockWait = 20

/** Sets the wait for locks until the end of the transaction: short for a retry, or that of the session again. */
export const lockWaits: Record<'short' | 'usual', Statement> = {
  short: { name: 'short lock wait', text: `select set_config('lock_timeout', '${retryLockWait}', true)`, values: [] },
  usual: { name: 'usual lock wait', text: `select set_config('lock_timeout', '${loginSettings.lock_timeout}', true)`, values: [] }
}

/**
 * Retries a transaction after a serialization failure or a deadlock, with a random, growing pause of up to 320 ms.
 * @param deadline retries also after a lock timeout until then, by `performance.now()`. Default: no such retry.
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

const sessionTimeout: Statement = {
  name: 'commit in time', text: `select set_config('statement_timeout', '${loginSettings.statement_timeout}', true)`, values: []
}

/** Ends the session if the host of the process is lost between the two round trips of a transaction. Other writers wait for its locks. */
const promptFollowing: Statement = {
  name: 'follow in time', text: "select set_config('idle_in_transaction_session_timeout', '5000', true)", values: []
}

/** Publishes each statement on a diagnostics channel if it has subscribers. */
export function tracedSql (sql: Sql): Sql {
  return {
    query: (statement) => channel.start.hasSubscribers
      ? channel.tracePromise(sql.query, { statements: [statement] }, sql, statement)
      : sql.query(statement),

    within (companies, mode, statements, timeout, follow) {
      if (!channel.start.hasSubscribers) return sql.within(companies, mode, statements, timeout, follow)
      const sent = { statements: [...statements] }
      const traced: typeof follow = follow && ((results) => {
        const following = follow(results)
        sent.statements.push(...following)
        return following
      })
      return channel.tracePromise(sql.within, sent, sql, companies, mode, statements, timeout, traced)
    }
  }
}

/** The socket of a connection. */
export function socketOf (client: ClientBase): Socket {
  return (client as ClientBase & { connection: { stream: Socket } }).connection.stream // the driver's type lacks it
}

/**
 * Whether the pool must close the connection: the error is not an answer of the database, PostgreSQL ends the session with it, or the
 * session is not the connection's own.
 */
export function isBroken (error: unknown): boolean {
  return sqlState(error) === undefined || isFatal(error) || isWrongRole(error) || isLostStatement(error)
}

/**
 * Closes each connection that is returned inside a transaction, because the next transaction on it would fail. A statement timeout can
 * cancel even the commit or the rollback.
 */
export function closeUnfinished (pool: Pool): Pool {
  return pool.on('release', (_error, client) => {
    const status = client.getTransactionStatus()
    if (status === 'T' || status === 'E') client.end()
  })
}

async function send (client: ClientBase, statement: Statement<object> | string): Promise<Row[]> {
  const { command, rows } = await client.query(statement)
  // PostgreSQL answers the commit of a failed transaction without an error, and rolls back.
  if (statement === 'commit' && command === 'ROLLBACK') {
    throw Object.assign(new Error('a failed statement of the transaction was ignored'), { code: '25P02' })
  }
  return rows
}

/** Statements of a transaction, with its begin and end. */
type Sent = ReadonlyArray<Statement<object> | string>

/** Sends statements in one write. The driver writes once per statement. */
async function together (client: ClientBase, statements: Sent): Promise<Array<PromiseSettledResult<Row[]>>> {
  const socket = socketOf(client)
  socket.cork()
  const results = Promise.allSettled(statements.map(async statement => await send(client, statement)))
  socket.uncork()
  return await results
}

/** Sends one statement after the other, up to the first error. */
async function inTurn (client: ClientBase, statements: Sent): Promise<Array<PromiseSettledResult<Row[]>>> {
  const results: Array<PromiseSettledResult<Row[]>> = []
  for (const statement of statements) {
    const [result] = await Promise.allSettled([send(client, statement)])
    results.push(result)
    if (result.status === 'rejected') break
  }
  return results
}

/** The rows of the statements that succeeded, and the errors of the others. */
function outcome (sent: Array<PromiseSettledResult<Row[]>>): { rows: Row[][], errors: unknown[] } {
  const rows: Row[][] = []
  const errors: unknown[] = []
  for (const result of sent) {
    if (result.status === 'fulfilled') rows.push(result.value)
    else errors.push(result.reason)
  }
  return { rows, errors }
}

/** The only place where rows of the driver get their type. A {@link Statement} declares it beside its text. */
function typed<T> (rows: Row[] | Row[][]): T {
  return rows as T // only PostgreSQL knows the columns of a text
}

/**
 * Runs statements on a pool with pipelining clients, which send the statements of a transaction together.
 * @param report gets each error, and returns the one to throw
 */
export function postgresSql (pool: Pool, report: (error: unknown) => unknown): Sql {
  return {
    async query (statement) {
      const client = await pool.connect()
      const [sent] = await Promise.allSettled([send(client, statement)])
      client.release(sent.status === 'rejected' && isBroken(sent.reason))
      if (sent.status === 'rejected') throw report(sent.reason)
      return typed(sent.value)
    },

    async within (companies, mode, statements, timeout, follow) {
      const client = await pool.connect()
      // On a server in recovery, as during a failover, `begin read write` would fail with 0A000, which also has other causes. A write fails
      // with 25006.
      const end = timeout !== undefined && mode === 'read write' ? [sessionTimeout, 'commit'] : ['commit']
      const begin = [mode === 'read write' ? 'begin' : `begin ${mode}`, setCompanies(companies, timeout)]
      // PostgreSQL rolls back if a statement failed
      const all = [...begin, ...statements, ...follow === undefined ? end : [promptFollowing]]
      // If `begin` fails, the others run without a transaction. Then policies refuse data of companies, but not accounts.
      const sent = companies.length > 0 || mode !== 'read write' ? await together(client, all) : await inTurn(client, all)
      const { rows, errors } = outcome(sent)
      const results = typed<Results<typeof statements>>(rows.slice(begin.length, begin.length + statements.length))
      let failure: unknown
      if (follow !== undefined) {
        let last: Array<Statement | string> = ['rollback']
        try {
          if (errors.length === 0) last = [...follow(results), ...end]
        } catch (error) {
          failure = error
        }
        errors.push(...outcome(await together(client, last)).errors)
      }
      client.release(errors.some(isBroken))
      if (errors.length > 0) throw report(errors[0])
      if (failure !== undefined) throw failure
      return results
    }
  }
}

/** A pool with pipelining clients. `check` gets each error, and returns the one to throw. */
export interface Connections {
  pool: Pick<Pool, 'connect'>
  check: { reportError: (error: unknown) => unknown }
}

/** How a transaction begins. */
type Begin = 'begin' | 'begin isolation level repeatable read, read only'

/** An open transaction on a connection of its own. */
export class Transaction {
  readonly #client: PoolClient
  readonly #check: Connections['check']
  #isBroken = false

  private constructor (client: PoolClient, check: Connections['check']) {
    this.#client = client
    this.#check = check
  }

  /**
   * Begins a transaction together with its first statements, in one round trip. If `begin` fails, they run without a transaction, so they
   * must write nothing.
   * @param begin the statement that begins it
   * @returns the rows of the statements
   * @throws the first error, after a rollback
   */
  static async begin (
    { pool, check }: Connections, first: Statement[], begin: Begin = 'begin'
  ): Promise<{ transaction: Transaction, rows: Row[][] }> {
    const transaction = new Transaction(await pool.connect(), check)
    try {
      const [, ...rows] = await transaction.#send([begin, ...first])
      return { transaction, rows }
    } catch (error) {
      await transaction.end()
      throw error
    }
  }

  /** Sends statements together, behind those in progress. @returns their rows @throws the first error */
  async send<const S extends readonly Statement<object>[]> (statements: readonly [...S]): Promise<Results<S>> {
    return typed(await this.#send(statements))
  }

  /** Runs a statement without values. @returns rows and their count */
  async execute (text: string): Promise<QueryResult<Row>> {
    try {
      return await this.#client.query<Row>(text)
    } catch (error) {
      throw this.#reported([error])
    }
  }

  /**
   * Commits together with the last statements.
   * @throws the first error, even if an earlier statement failed. Then PostgreSQL rolls back.
   */
  async commit (last: Statement[]): Promise<void> {
    await this.#send([...last, 'commit'])
  }

  /** Rolls back unless the transaction has ended. Gives the connection back, or closes it if it is broken. */
  async end (): Promise<void> {
    if (!this.#isBroken && this.#client.getTransactionStatus() !== 'I') {
      await this.#send(['rollback']).catch(() => { this.#isBroken = true })
    }
    this.#client.release(this.#isBroken)
  }

  async #send (statements: ReadonlyArray<Statement<object> | Begin | 'commit' | 'rollback'>): Promise<Row[][]> {
    const { rows, errors } = outcome(await together(this.#client, statements))
    if (errors.length > 0) throw this.#reported(errors)
    return rows
  }

  #reported (errors: unknown[]): unknown {
    this.#isBroken ||= errors.some(isBroken)
    return this.#check.reportError(errors[0])
  }
}
