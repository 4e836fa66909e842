import { EventEmitter } from 'node:events'
import type { ClientBase } from 'pg'
import { sessionIsOwner } from './owner.ts'
import { isLostStatement, isWrongRole, sqlState } from './sql-errors.ts'
import { setSession, type SessionSettings } from './session-settings.ts'
import type { Row } from './sql.ts'

/** A connection or transaction without the service's role or settings, where row-level security or timeouts may not apply. */
export class UnfitConnection extends Error {}

const settingsQuery = `
  select 'role' as name, current_user::text as setting
  union all select lower(name), setting from pg_settings where lower(name) = any ($1::text[])`

/** A row of {@link settingsQuery}. */
type Setting = Record<'name' | 'setting', string>

/** Compares a session with its expected settings. @returns one line per difference */
export async function differences (
  query: (text: string, values: unknown[]) => Promise<Setting[]>, expected: SessionSettings
): Promise<string[]> {
  const rows = await query(settingsQuery, [Object.keys(expected)])
  const found = new Map(rows.map(({ name, setting }) => [name, setting]))
  return Object.entries(expected)
    .filter(([name, value]) => found.get(name) !== String(value))
    .map(([name, value]) => `${name} is ${found.get(name) ?? 'unknown'} instead of ${value}`)
}

const isStandby = (difference: string) => difference.startsWith('in_hot_standby ')

const remedy =
  'run `obra migrate` as the owner of the tables, with `--login` if another user starts the servers; ' +
  'then restart a pooler; `obra doctor` checks the result'

/** A connection that may not take the role is refused with the remedy. */
function throwUnlessForbidden (error: unknown): void {
  if (sqlState(error) !== '42501') throw error
}

const transactionMode = 'use session mode, or PgBouncer 1.21 or newer with `max_prepared_statements`'

// Time in ms for which a refusal counts: as long as idle connections stay in the pool. A pooler or failover can change the settings
// while the service runs.
const remembered = 10_000

/** Whether an error, or one of its causes, is an {@link UnfitConnection}. */
export function isUnfit (error: unknown): boolean {
  return error instanceof UnfitConnection || (error instanceof Error && error.cause !== undefined && isUnfit(error.cause))
}

/**
 * Checks each new connection before the pool uses it, and gets the errors of sessions that a pooler has changed. Emits `refused` for the
 * first refusal and `accepted` for the next good connection.
 */
export class ConnectionCheck extends EventEmitter<{ refused: [UnfitConnection], accepted: [] }> {
  readonly #expected: SessionSettings
  readonly #timeout: number
  #refusal: UnfitConnection | undefined
  #refusedAt = -Infinity
  #isOfTransaction = false

  /** @param timeout of the check's query in ms */
  constructor (expected: SessionSettings, timeout: number) {
    super()
    this.#expected = expected
    this.#timeout = timeout
  }

  /** Whether a transaction was refused in the last 10 s, or a connection and none accepted since. */
  get isRefusing (): boolean {
    return this.#refusal !== undefined && performance.now() - this.#refusedAt < remembered
  }

  /**
   * Gives a connection of an owner the role and the settings, which PostgreSQL gives to other connections, and checks it.
   * @throws as {@link verify}
   */
  async prepare (client: ClientBase): Promise<void> {
    const [session] = await this.#query(client, sessionIsOwner)
    if (session?.['owner'] === true) await this.#query(client, setSession(this.#expected)).catch(throwUnlessForbidden)
    await this.verify(client)
  }

  /** Checks a connection. The pool closes it if this throws. @throws {UnfitConnection}, errors of the queries */
  async verify (client: ClientBase): Promise<void> {
    const found = await differences(async (text, values) => await this.#query<Setting>(client, text, values), this.#expected)
    if (found.length === 0) {
      // Connections can be good although a pooler runs transactions in other sessions.
      if (this.#refusal === undefined || (this.#isOfTransaction && this.isRefusing)) return
      this.#refusal = undefined
      this.emit('accepted')
      return
    }
    this.#isOfTransaction = false
    // With the SQLSTATE `cannot_connect_now`, a starting server waits for the primary.
    if (found.some(isStandby)) throw Object.assign(this.#refuse('the database is a standby, or in recovery'), { code: '57P03' })
    throw this.#refuse(`a new connection lacks the role or settings of the service: ${found.join(', ')}; ${remedy}`)
  }

  /**
   * Counts the error of a statement in a session that is not the connection's own as a refusal.
   * @returns the refusal, or any other error unchanged
   */
  reportError (error: unknown): unknown {
    const [wrongRole, lostStatement] = [isWrongRole(error), isLostStatement(error)]
    if (!wrongRole && !lostStatement) return error
    this.#isOfTransaction = true
    return this.#refuse(
      wrongRole ? `a transaction did not run as obra_app: ${remedy}` : `a pooler lost a prepared statement: ${transactionMode}`, error
    )
  }

  async #query<R extends object = Row> (client: ClientBase, text: string, values?: unknown[]): Promise<R[]> {
    // The driver's types lack the timeout of a single query.
    const query = { text, values, query_timeout: this.#timeout }
    return (await client.query<R>(query)).rows
  }

  #refuse (message: string, cause?: unknown): UnfitConnection {
    const refusal = new UnfitConnection(message, { cause })
    const isFirst = !this.isRefusing
    this.#refusal = refusal
    this.#refusedAt = performance.now()
    if (isFirst) this.emit('refused', refusal)
    return refusal
  }
}
