import { setTimeout as sleep } from 'node:timers/promises'
import { purgeBatches } from '../../database/channels.ts'
import { isLockTimeout, sqlState, type Row, type Sql, type Statement } from '../../database/sql.ts'

/** How a run of the purge shares the database with requests and other processes. */
export interface PurgeOptions {
  /** Milliseconds between two batches. */
  pause: number
  /** Whether to wait while another process purges. */
  waitForLock: boolean
  /** Ends the run before its next batch. The run then throws the abort reason. */
  signal?: AbortSignal
}

/** Another process is purging. */
export class AlreadyPurging extends Error {}

/** Batches of a table were too slow or met locks again and again. */
export class GaveUp extends Error {}

/** Timeouts in a row after which the purge gives up a table: enough to get from the largest batch to several of one row. */
const mostTimeouts = 8

/** Statement timeout of a batch in ms; also bounds its waits for locks. A request waits for a batch for about 50 ms at most. */
const batchTimeout = 50

const statementTimeout = '57014'

/** Key of the advisory lock: "purg" in ASCII. */
const lock = 0x70757267
const setTimeouts: Statement = { text: `select set_config('statement_timeout', '${batchTimeout}', true)`, values: [] }

/** SQL at the start of a batch: `mine` is whether this process has the purge's lock. */
export const turn = `turn as materialized (select pg_try_advisory_xact_lock(${lock}) as mine)`

/** Runs each batch in its own transaction. Adapts the number of rows to {@link batchTimeout}. */
export class Batches {
  readonly #sql: Sql
  readonly #most: number
  #rows: number
  #timeouts = 0
  #hasPurged = false

  /** @param most rows of a batch at most */
  constructor (sql: Sql, most: number) {
    this.#sql = sql
    this.#most = most
    this.#rows = most
  }

  /** Begins a run. From its first batch on, a run waits for other processes: it may be the one that is nearly done. */
  begin (): void {
    this.#hasPurged = false
  }

  /**
   * Runs one batch. After a timeout, runs it again with fewer rows.
   * @param companies visible companies
   * @param statement makes the statement for a number of rows; its result row has `mine` and `removed`
   * @returns the row, and whether the batch was full
   * @throws {AlreadyPurging} in the first batch of a run, unless it waits for the lock; {@link GaveUp}; the abort reason; errors of the database
   */
  async run (table: string, companies: number[], statement: (rows: number) => Statement, { pause, waitForLock, signal }: PurgeOptions): Promise<Row & { removed: number, full: boolean }> {
    while (true) {
      signal?.throwIfAborted()
      const rows = this.#rows
      const started = performance.now()
      try {
        const [, [row]] = await this.#sql.within(companies, 'read write', [setTimeouts, statement(rows)]) as [Row[], [Row]]
        if (row['mine'] === true) {
          this.#rows = Math.min(this.#most, rows * 2)
          this.#timeouts = 0
          this.#hasPurged = true
          purgeBatches.publish({ table, removed: row['removed'], seconds: (performance.now() - started) / 1000 })
          await sleep(pause, undefined, signal === undefined ? {} : { signal })
          return { ...row, removed: row['removed'], full: row['removed'] >= rows }
        }
        if (!waitForLock && !this.#hasPurged) throw new AlreadyPurging('another process purges now')
        await sleep(Math.max(pause, 10))
      } catch (error) {
        if (!isTimeout(error)) throw error
        if (++this.#timeouts >= mostTimeouts) throw new GaveUp(`batches of ${table} time out`, { cause: error })
        this.#rows = Math.ceil(rows / 4)
        await sleep(pause)
      }
    }
  }
}

function isTimeout (error: unknown): boolean {
  return sqlState(error) === statementTimeout || isLockTimeout(error)
}
