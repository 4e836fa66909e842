import { LRUCache } from 'lru-cache'
import { purgeRuns } from '../../database/connection/channels.ts'
import type { Row, Sql, Statement } from '../../database/connection/sql.ts'
import { Batches, GaveUp, turn, type PurgeOptions } from './batches.ts'
import { expired, expiredAccountKeys, expiredOfCompanies, purgedTables, type Expired, type PurgedTable } from './expired.ts'
import { mapNames } from '../../http/names.ts'

/** Rows removed in a run, by table. */
type Removed = Record<PurgedTable, number>

/** State of a company's rows in `changes` after its last purge. */
interface Walked {
  revision: number
  /** Unix times in ms: when the log was purged, and when its next entry expires. */
  at: number
  due: number
}

const day = 24 * 60 * 60 * 1000
const companiesAtOnce = 500

/** The companies after an id, with their revisions. */
const companiesAfter = (after: number): Statement => ({
  text: `select company_id as id, revision from company_revisions where company_id > $1 order by company_id limit ${companiesAtOnce}`,
  values: [after]
})

/** Removes expired entries of a company's log after a position. Values: company, the position, and the limit of rows. */
const purgeChanges = `
  with ${turn}
  select mine, p.*
  from turn cross join lateral purge_changes(case when mine then $1::int end, $2::bigint, $3::text, $4::bigint, $5::int) p`

/** Removes expired rows in small batches. Caches which companies have none in `changes`. */
export class Purge {
  readonly #sql: Sql
  readonly #batches: Batches
  // A log that is evicted from this cache is examined again.
  readonly #walked = new LRUCache<number, Walked>({ max: 10_000 })

  /** @param maxRows limit of the rows of a batch */
  constructor (sql: Sql, maxRows = 500) {
    this.#sql = sql
    this.#batches = new Batches(sql, maxRows)
  }

  /**
   * Removes all expired rows.
   * @throws {AlreadyPurging} at the start, unless it waits for the lock; {@link GaveUp} after everything else is removed; the abort reason;
   *   database errors
   */
  async run (options: PurgeOptions): Promise<Removed> {
    this.#batches.begin()
    const failures: GaveUp[] = []
    /** Rows that `purge` removed, or 0 if it gave up. */
    const tried = async (purge: Promise<number>): Promise<number> => await purge.catch(error => {
      if (!(error instanceof GaveUp)) throw error
      failures.push(error)
      return 0
    })
    const removed: Removed = mapNames(purgedTables, () => 0)
    for (const one of expired) removed[one.table] += await tried(this.#rows(one, [], options))
    removed.idempotency_keys += await tried(this.#rows(expiredAccountKeys, [], options))
    for (let after = 0; ;) {
      const companies = await this.#sql.query(companiesAfter(after))
      if (companies.length === 0) break
      const ids = companies.map(({ id }) => id)
      for (const one of expiredOfCompanies) removed[one.table] += await tried(this.#rows(one, ids, options))
      for (const { id, revision } of companies) {
        if (this.#isDue(id, revision)) removed.changes += await tried(this.#changes(id, revision, options))
      }
      after = companies.at(-1)?.['id']
    }
    if (failures.length > 0) {
      const messages = new Set(failures.map(({ message }) => message))
      throw new GaveUp([...messages].join(', '), { cause: failures[0]?.cause })
    }
    purgeRuns.publish(Date.now() / 1000)
    return removed
  }

  async #rows ({ table, rows, locking }: Expired, companies: number[], options: PurgeOptions): Promise<number> {
    const text = `
      with ${turn},
      purged as (
        delete from ${table} where ctid = any (array(${rows} and (select mine from turn) limit $1 ${locking})) returning 1)
      select mine, (select count(*)::int from purged) as removed from turn`
    const values = rows.includes('$2') ? [companies] : []
    let removed = 0
    while (true) {
      const batch = await this.#batches.run(table, companies, maxRows => ({ text, values: [maxRows, ...values] }), options)
      removed += batch.removed
      if (!batch.full) return removed
    }
  }

  /** Whether entries of the log may have expired since its last purge. A log with new writes is examined once a day. */
  #isDue (company: number, revision: number): boolean {
    const walked = this.#walked.get(company)
    if (walked === undefined || walked.due <= Date.now()) return true
    return walked.revision !== revision && walked.at + day <= Date.now()
  }

  async #changes (company: number, revision: number, options: PurgeOptions): Promise<number> {
    const at = Date.now()
    let due = Infinity
    let removed = 0
    let position: Row | undefined = { revision: -1, resource: '', record_id: 0 }
    while (position !== undefined) {
      const values = [company, position['revision'], position['resource'], position['record_id']]
      const statement = (maxRows: number): Statement => ({ text: purgeChanges, values: [...values, maxRows] })
      const batch: Row = await this.#batches.run('changes', [], statement, options)
      removed += batch['removed']
      if (batch['due'] !== null) due = Math.min(due, Date.parse(batch['due']))
      position = batch['revision'] === null ? undefined : batch
    }
    this.#walked.set(company, { revision, at, due })
    return removed
  }
}
