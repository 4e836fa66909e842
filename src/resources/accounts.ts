import { lockFor } from '../database/connection/advisory-locks.ts'
import type { Database } from '../database/database.ts'
import { sqlState } from '../database/connection/sql-errors.ts'
import type { Row } from '../database/connection/sql.ts'
import { httpError } from '../http/errors.ts'
import type { Precondition } from '../http/representation.ts'
import { claim, exclusively, replayOrWrite, type StoredAnswer, type IdempotencyKey } from './writing/idempotency.ts'
import { readPage, type ListQuery, type Page } from './reading/page.ts'
import { findRecord, readRecord } from './reading/record.ts'
import type { Records, Writer } from './records.ts'
import { reachOf, type Reader, type Reach } from './declaration/scope.ts'
import { inQueue, type Run } from '../database/turns/unit-of-work.ts'
import { groupOf } from '../database/turns/shares.ts'
import { Semaphore } from '../database/turns/semaphore.ts'
import { requireLive } from '../auth/authority.ts'
import { readStateIn } from '../auth/session-state.ts'
import { maxWaitMs } from '../database/turns/crowded.ts'
import { createAccount, removeAccount, updateAccount, type AccountInput, type Unit } from './writing/account-writes.ts'
import type { AccountResource } from './declaration/define-accounts.ts'
import type { Input } from './declaration/resource.ts'

/** The caller: user, session, own level and customer, as authenticated. */
export interface Manager {
  user: number
  sid: string
  level: number | null
  customer: number | null
}

/** The lock of all writes to accounts, held until the end of the transaction. */
const accountsLock = lockFor('accounts')
const attempts = 3

/** Lets customers take turns before the lock. One writes while the next one waits. */
const writers = new Semaphore<string>({ name: 'account writes', size: 2, perKey: 1 })

/** Reads and writes accounts within the caller's reach. */
export class Accounts implements Records<AccountResource> {
  readonly company = null
  readonly level: number
  readonly reach: Reach
  readonly #database: Database
  readonly #manager: Manager
  readonly #read: Reader

  constructor (database: Database, manager: Manager) {
    this.#database = database
    this.#manager = manager
    this.level = manager.level as number
    this.reach = reachOf(manager.level as number, manager.customer)
    this.#read = reader(async statement => await database.shares.slowReads.run(`accounts ${this.reach.customer}`, performance.now() + maxWaitMs,
      async () => await database.sql.query(statement), this.reach.customer === null ? undefined : groupOf(this.reach.customer)), this.reach)
  }

  /** A page of accounts. @throws {HttpError} 404 for a page that does not exist */
  async page (resource: AccountResource, query: ListQuery): Promise<Page> {
    return await readPage(this.#read, resource, query)
  }

  /** A complete record. @throws {HttpError} 404 */
  async record (resource: AccountResource, id: string): Promise<Row> {
    return await readRecord(this.#read, resource, id)
  }

  /** Creates a record in its own transaction. */
  async create (resource: AccountResource, input: Input): Promise<Row> {
    return await this.unit(async unit => await createAccount(unit, resource, input))
  }

  /** Returns the answer stored under a key, or else that of `write`, in one unit of work. @throws as {@link replayOrWrite} and {@link claim} */
  async once (key: IdempotencyKey, write: (writer: Writer<AccountResource>) => Promise<StoredAnswer>): Promise<StoredAnswer> {
    return await exclusively(this.#database, key, async () => await this.unit(
      async unit => await replayOrWrite(unit.rules.run, key, async () => await write({
        create: async (resource, input) => await createAccount(unit, resource, input)
      })),
      async run => await claim(run, key)))
  }

  /** Changes the fields of the input. @throws as {@link updateAccount} */
  async update (resource: AccountResource, id: string, input: AccountInput, unchanged: Precondition): Promise<Row> {
    return await this.unit(async unit => await updateAccount({ ...unit, rules: { ...unit.rules, verified: input.verified } }, resource, id, input, unchanged))
  }

  /** Runs the resource's DELETE. @throws as {@link removeAccount} */
  async remove (resource: AccountResource, id: string, unchanged: Precondition): Promise<void> {
    await this.unit(async unit => await removeAccount(unit, resource, id, unchanged))
  }

  /**
   * Runs a unit of work under the lock of all account writes. Writers without the lock (psql, the command line) can still cause a conflict
   * between check and write. The unit is then repeated, and its checks report the conflict.
   * @param first runs before the lock
   * @throws {HttpError} 401 and 403 if the caller's session or level has changed since authentication, 409
   */
  async unit<T> (work: (unit: Unit) => Promise<T>, first?: (run: Run) => Promise<void>): Promise<T> {
    const { user, customer } = this.#manager
    const writer = customer === null ? `user ${user}` : `customer ${customer}`
    const late = performance.now() + maxWaitMs
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        return await writers.run(writer, late, async () => await inQueue(this.#database, 'accounts', async (em, run) => {
          await this.#refuseChanged(run)
          const read = reader(run, this.reach)
          return await work({ em, read, rules: { reach: this.reach, caller: this.#manager, verified: undefined, run, find: async (resource, id) => await findRecord(read, resource, id) } })
        }, { lock: accountsLock, first, deadline: late }))
      } catch (error) {
        if (sqlState(error) !== '23505' && (error as { constraint?: string }).constraint !== 'memberships_customer') throw error
      }
    }
    throw httpError(409)
  }

  /**
   * Checks the caller again, who may have changed during the wait for the lock. So of two users who deactivate each other only one succeeds,
   * and waiting writes of a stolen session end with it.
   */
  async #refuseChanged (run: Run): Promise<void> {
    const { user, sid, level, customer } = this.#manager
    const present = requireLive(await readStateIn(run, sid, null), user)
    if (present.account !== level || present.customer !== customer) throw httpError(403)
  }
}

/** Reads within a reach, one request at a time. */
function reader (send: Run, { customer }: Reach): Reader {
  return async ({ name, text }, values) => await send({ name, text, values: [customer, ...values].map(value => [value ?? null]) })
}
