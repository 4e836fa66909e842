import { setTimeout as sleep } from 'node:timers/promises'
import { tryLock } from '../../database/connection/advisory-locks.ts'
import { purgeBatches } from '../../database/connection/channels.ts'
import { isLockTimeout, sqlState } from '../../database/connection/sql-errors.ts'
import type { Row, Sql, Statement } from '../../database/connection/sql.ts'

/** How a purge shares the database with requests and other processes. */
export interface PurgeOptions {
  /** Pause between two batches in ms. */
  pause: number
  /** Whether to wait while another process purges. */
  waitForLock: boolean
  /** Ends the run before its next batch. The run then throws the abort reason. */
  signal?: AbortSignal
}

/** Another process is purging. */
export class AlreadyPurging extends Error {}

/** Batches of a table were too slow or locked repeatedly. */
export class GaveUp extends Error {}

/** Consecutive timeouts after which the purge gives up a table: enough for several batches of one row. */
const maxTimeouts = 8

/** Statement timeout of a batch in ms, which includes waits for locks. A batch delays a request by about 50 ms at most. */
const batchTimeout = 50

const statementTimeout = '57014'

const setTimeouts: Statement = { text: `select set_config('statement_timeout', '${batchTimeout}', true)`, values: [] }

/** SQL at the start of a batch. `mine` is whether this process has the lock of the purge. */
export const turn = `turn as materialized (select ${tryLock('purge')} as mine)`

/** The result of a batch: the row of its statement, and whether it removed as many rows as it may. */
type BatchResult = Row & { removed: number, full: boolean }

/** Runs each batch in its own transaction, and adapts its number of rows to {@link batchTimeout}. */
export class Batches {
  readonly #sql: Sql
  readonly #maxRows: number
  #rows: number
  #timeouts = 0
  #hasPurged = false

  /** @param maxRows limit of the rows of a batch */
  constructor (sql: Sql, maxRows: number) {
    this.#sql = sql
    this.#maxRows = maxRows
    this.#rows = maxRows
  }

  /** Begins a run. After its first batch, a run waits for the lock instead of giving way to other processes. */
  begin (): void {
    this.#hasPurged = false
  }

  /**
   * Runs one batch. After a timeout it is repeated with fewer rows.
   * @param companies visible companies
   * @param statement creates the statement for a number of rows. Its result row has `mine` and `removed`.
   * @returns the row, and whether the batch was full
   * @throws {AlreadyPurging} in the first batch of a run, unless it waits for the lock; {@link GaveUp}; the abort reason; database errors
   */
  async run (table: string, companies: number[], statement: (rows: number) => Statement, options: PurgeOptions): Promise<BatchResult> {
    const { pause, waitForLock, signal } = options
    while (true) {
      signal?.throwIfAborted()
      const rows = this.#rows
      const started = performance.now()
      try {
        const [, [row]] = await this.#sql.within(companies, 'read write', [setTimeouts, statement(rows)])
        if (row['mine'] === true) {
          this.#rows = Math.min(this.#maxRows, rows * 2)
          this.#timeouts = 0
          this.#hasPurged = true
          purgeBatches.publish({ table, removed: row['removed'], seconds: (performance.now() - started) / 1000 })
          await sleep(pause, undefined, signal === undefined ? {} : { signal })
          return { ...row, removed: row['removed'], full: row['removed'] >= rows }
        }
        if (!waitForLock && !this.#hasPurged) throw new AlreadyPurging('another process is purging')
        await sleep(Math.max(pause, 10))
      } catch (error) {
        if (!isTimeout(error)) throw error
        if (++this.#timeouts >= maxTimeouts) throw new GaveUp(`batches of ${table} time out`, { cause: error })
        this.#rows = Math.ceil(rows / 4)
        await sleep(pause)
      }
    }
  }
}

function isTimeout (error: unknown): boolean {
  return sqlState(error) === statementTimeout || isLockTimeout(error)
}
