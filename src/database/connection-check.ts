import { EventEmitter } from 'node:events'
import type { ClientBase, QueryConfig } from 'pg'
import type { Row } from './sql.ts'

/** Expected settings of a session, by PostgreSQL's names. `role` is `current_user`. */
export type SessionSettings = Readonly<Record<string, string | number>>

/** A connection without the service's role or settings, where row-level security or timeouts may not apply. */
export class UnfitConnection extends Error {}

const settingsQuery = `
  select 'role' as name, current_user::text as setting
  union all select lower(name), setting from pg_settings where lower(name) = any ($1::text[])`

/** Compares a session with its expected settings. @returns one line per difference */
export async function differences (query: (text: string, values: unknown[]) => Promise<Row[]>, expected: SessionSettings): Promise<string[]> {
  const rows = await query(settingsQuery, [Object.keys(expected)])
  const found = new Map(rows.map(({ name, setting }) => [name as string, setting as string]))
  return Object.entries(expected)
    .filter(([name, value]) => found.get(name) !== String(value))
    .map(([name, value]) => `${name} is ${found.get(name) ?? 'unknown'} instead of ${value}`)
}

// Time in ms for which a refusal counts: as long as idle connections stay in the pool. A pooler or failover can change the settings
// while the service runs.
const remembered = 10_000

/** Whether an error, or one of its causes, is an {@link UnfitConnection}. */
export function isUnfit (error: unknown): boolean {
  return error instanceof UnfitConnection || (error instanceof Error && error.cause !== undefined && isUnfit(error.cause))
}

/** Checks each new connection before the pool uses it. Emits `refused` for the first refused connection and `admitted` for the next good one. */
export class ConnectionCheck extends EventEmitter<{ refused: [UnfitConnection], admitted: [] }> {
  readonly #expected: SessionSettings
  readonly #timeout: number
  #refusal: UnfitConnection | undefined
  #refusedAt = -Infinity

  /** @param timeout of the check's query in ms */
  constructor (expected: SessionSettings, timeout: number) {
    super()
    this.#expected = expected
    this.#timeout = timeout
  }

  /** Whether a connection was refused in the last 10 s and none admitted since. */
  get isRefusing (): boolean {
    return this.#refusal !== undefined && performance.now() - this.#refusedAt < remembered
  }

  /** Checks a connection. The pool closes it if this throws. @throws {UnfitConnection}, errors of the query */
  async admit (client: ClientBase): Promise<void> {
    // The driver's types lack the timeout of a single query.
    const query = async (text: string, values: unknown[]) => (await client.query<Row>({ text, values, query_timeout: this.#timeout } as QueryConfig)).rows
    const found = await differences(query, this.#expected)
    if (found.length === 0) {
      if (this.#refusal !== undefined) this.emit('admitted')
      this.#refusal = undefined
      return
    }
    const refusal = new UnfitConnection(`a new connection lacks the role or settings of the service: ${found.join(', ')}; connect to PostgreSQL directly, or configure the pooler, such as PgBouncer, to pass on the startup parameter \`options\``)
    const isFirst = this.#refusal === undefined
    this.#refusal = refusal
    this.#refusedAt = performance.now()
    if (isFirst) this.emit('refused', refusal)
    throw refusal
  }
}
