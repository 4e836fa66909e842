import { lockFor } from '../database/connection/advisory-locks.ts'
import type { Database } from '../database/database.ts'
import type { Row } from '../database/connection/sql.ts'
import { httpError } from '../http/errors.ts'
import type { Precondition } from '../http/representation.ts'
import { answerStatement, type IdempotencyKey } from './writing/idempotency.ts'
import { readPage, type ListQuery, type Page } from './reading/page.ts'
import { findRecord, readRecord } from './reading/record.ts'
import type { Records, Scoped, Writer } from './records.ts'
import { reachOf, type Reader, type Reach } from './declaration/scope.ts'
import { inSnapshot } from '../database/turns/snapshot.ts'
import { inQueue, type Run, type UnitOfWork } from '../database/turns/unit-of-work.ts'
import { groupOf } from '../database/turns/shares.ts'
import { Semaphore } from '../database/turns/semaphore.ts'
import { requireLive, stateIn, stateStatement } from '../auth/authority.ts'
import { maxWaitMs } from '../database/turns/crowded.ts'
import { createAccount, isRepeated, removeAccount, updateAccount, type AccountInput, type AccountUnit } from './writing/account-writes.ts'
import type { Readable } from './declaration/base-resource.ts'
import type { Input } from './declaration/input.ts'
import type { AccountResource, AnyResource, RuleContext } from './declaration/account-resource.ts'
import type { RowOf } from './declaration/values.ts'

/** The caller: user, session, own level and customer, as authenticated. */
interface AccountCaller {
  user: number
  sid: string
  level: number
  customer: number | null
}

/** The lock of all writes to accounts, held until the end of the transaction. */
const accountsLock = { name: 'accounts', ...lockFor('accounts') }
const attempts = 3

/** Lets customers take turns before the lock. One writes while the next one waits. */
const writers = new Semaphore<string>({ name: 'account writes', size: 2, perKey: 1 })

/** Reads and writes accounts within the caller's reach. */
export class Accounts implements Records {
  readonly company = null
  readonly level: number
  // Accounts of several companies, which can have different time zones.
  readonly zone = 'UTC'
  readonly reach: Reach
  readonly #database: Database
  readonly #caller: AccountCaller
  readonly #read: Reader

  constructor (database: Database, caller: AccountCaller) {
    this.#database = database
    this.#caller = caller
    this.level = caller.level
    this.reach = reachOf(caller.level, caller.customer)
    const { holder, group } = this.#share
    this.#read = reader(async statement => await database.shares.slowReads.run(holder, performance.now() + maxWaitMs,
      async () => await database.sql.query(statement), group), this.reach)
  }

  /** Who takes connections for slow reads. */
  get #share () {
    const { customer } = this.reach
    return { holder: `accounts ${customer}`, group: customer === null ? undefined : groupOf(customer) }
  }

  reader (resource: Scoped): Reader {
    requireAccountScope(resource)
    return this.#read
  }

  /** Runs queries in one snapshot. */
  async inSnapshot<T> (resource: Scoped, deadline: number, work: (read: Reader) => Promise<T>): Promise<T> {
    requireAccountScope(resource)
    return await inSnapshot(this.#database, [], this.#share, deadline, async run => await work(reader(run, this.reach)))
  }

  /** A page of accounts. @throws {HttpError} 404 for a page that does not exist */
  async page (resource: Readable, query: ListQuery): Promise<Page> {
    return await readPage(this.reader(resource), resource, query, this.zone)
  }

  /** A complete record. @throws {HttpError} 404 */
  async record<R extends Readable> (resource: R, id: string): Promise<RowOf<R>> {
    return await readRecord(this.reader(resource), resource, id)
  }

  /** Creates a record in its own transaction. */
  async create (resource: AnyResource, input: Input): Promise<Row> {
    return await this.unit(async (_, writer) => await writer.create(resource, input))
  }

  /** Changes the fields of the input. @throws as {@link updateAccount} */
  async update (resource: AnyResource, id: string, input: AccountInput, unchanged: Precondition): Promise<Row> {
    return await this.unit(async unit =>
      await updateAccount(this.#writing(unit, input.verified), accountResource(resource), id, input, unchanged))
  }

  /** Runs the resource's DELETE. @throws as {@link removeAccount} */
  async remove (resource: AnyResource, id: string, unchanged: Precondition): Promise<void> {
    await this.unit(async unit => await removeAccount(this.#writing(unit), accountResource(resource), id, unchanged))
  }

  /**
   * Runs a unit of work under the lock of all account writes. Writers without the lock (psql, the command line) can still cause a conflict
   * between check and write. The unit is then repeated, and its checks report the conflict.
   * @throws {HttpError} 401 and 403 if the caller's session or level has changed since authentication, 409
   */
  async unit<T> (
    work: (unit: UnitOfWork, writer: Writer) => Promise<T>,
    { key, deadline = performance.now() + maxWaitMs }: { key?: IdempotencyKey, deadline?: number } = {}
  ): Promise<T> {
    const { user, sid, customer } = this.#caller
    const reads = [stateStatement(sid, null), ...key === undefined ? [] : [answerStatement(key)]]
    const writer = customer === null ? `user ${user}` : `customer ${customer}`
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        return await writers.run(writer, deadline, async () => await inQueue(this.#database, 'accounts', accountsLock, async (unit) => {
          this.#refuseChanged(unit.first[0])
          return await work(
            unit, { create: async (resource, input) => await createAccount(this.#writing(unit), accountResource(resource), input) }
          )
        }, { keyLock: key?.lock, reads, deadline, user }))
      } catch (error) {
        if (!isRepeated(error)) throw error
      }
    }
    throw httpError(409)
  }

  /**
   * Checks the caller again, who may have changed during the wait for the lock. So of two users who deactivate each other only one
   * succeeds, and waiting writes of a stolen session end with it.
   */
  #refuseChanged (state: Row[]): void {
    const { user, level, customer } = this.#caller
    const present = requireLive(stateIn(state), user)
    if (present.account !== level || present.customer !== customer) throw httpError(403)
  }

  #writing (unit: UnitOfWork, verified?: string): AccountUnit {
    const read = reader(unit.run, this.reach)
    const find: RuleContext['find'] = async (resource, id) => await findRecord(read, resource, id)
    return { unit, read, rules: { reach: this.reach, caller: this.#caller, verified, run: unit.run, find } }
  }
}

/** @throws {Error} for a resource of companies, whose statements would take the customer's id for a company's */
function requireAccountScope ({ name, scope }: Scoped): void {
  if (scope?.owner !== 'customer') throw new Error(`${name} are not accounts`)
}

/** @throws {Error} for a resource of companies */
function accountResource (resource: AnyResource): AccountResource {
  if (resource.kind !== 'account') throw new Error(`${resource.name} are not accounts`)
  return resource
}

/** Reads within a reach, one request at a time. */
function reader (send: Run, { customer }: Reach): Reader {
  return async ({ name, text }, values) => await send({ name, text, values: [customer, ...values].map(value => [value ?? null]) })
}
