import type { Level, Operation } from '../auth/access.ts'
import { may as mayAtLevel, requireLevel, requireLive, stateIn, stateStatement, type State } from '../auth/authority.ts'
import { contention } from '../database/connection/channels.ts'
import { isDataError } from '../database/connection/sql-errors.ts'
import type { Database } from '../database/database.ts'
import type { Row, Statement } from '../database/connection/sql.ts'
import { type BatchQuery, type Turns, FollowUpError, isChangedCaller, type CallerAuthority } from '../database/turns/batch-requests.ts'
import { httpError } from '../http/errors.ts'
import { revisionOf, type Precondition, type Revision } from '../http/representation.ts'
import { answerStatement, type IdempotencyKey, type StoredAnswer } from './writing/idempotency.ts'
import { writeItems } from './writing/bulk.ts'
import { writeValidItems, type Outcome } from './writing/partial-bulk.ts'
import type { May } from './writing/input.ts'
import type { Upsert } from './writing/items.ts'
import { createRecord, createWithNewKey, type NewKey } from './writing/create.ts'
import { readPage, type ListQuery, type Page } from './reading/page.ts'
import { readRecord } from './reading/record.ts'
import type { Records, Scoped, Writer } from './records.ts'
import { ofCompany, type Reader } from './declaration/scope.ts'
import type { Group } from '../database/turns/shares.ts'
import { inSnapshot } from '../database/turns/snapshot.ts'
import { answerAll, inCompany, type UnitOfWork, workOf } from '../database/turns/unit-of-work.ts'
import { maxWaitMs } from '../database/turns/crowded.ts'
import { updateRecord, type Attempt } from './writing/update.ts'
import type { AnyResource } from './declaration/account-resource.ts'
import type { Readable } from './declaration/base-resource.ts'
import type { Input } from './declaration/input.ts'
import type { Resource } from './declaration/resource.ts'
import { removeRecord } from './writing/remove.ts'
import type { RowOf } from './declaration/values.ts'

/** The database and its two turns, which all tenants share. */
interface Shared extends Turns {
  database: Database
}

/** The caller in a company, with level and the operation of the route, as authenticated. */
interface CompanyCaller {
  user: number
  sid: string
  access: Operation
  level: Level
  authority: CallerAuthority
  company: NonNullable<State['company']>
}

/** The writes of a unit of work. */
export interface CompanyWriter extends Writer {
  /** What the caller may do at present. */
  may: May
  /** Creates or changes one record per item, all or none. @returns the complete records @throws as {@link writeItems} */
  bulk: (resource: Resource, items: Input[], upsert: Upsert) => Promise<Row[]>
  /** Creates or changes a record per valid item. @returns as {@link writeValidItems} */
  partialBulk: (resource: Resource, items: Input[], upsert: Upsert) => Promise<Outcome[]>
}

/** Wall 1 (docs/explanation/architecture.md): gives the handler of a business route only the data of the caller's active company. */
export class Tenant implements Records {
  readonly company: number
  /** The company's time zone. */
  readonly zone: string
  /** The caller's level in the company. */
  readonly level: Level
  /** The company's revision and its stamp, read after the request arrived. */
  readonly revision: number
  readonly stamp: number
  /** The customer of the company. */
  readonly #customer: Group
  readonly #shared: Shared
  readonly #caller: CompanyCaller

  constructor (shared: Shared, caller: CompanyCaller) {
    const { company: { id, zone, companyCustomer, revision, stamp } } = caller
    this.#shared = shared
    this.#caller = caller
    this.company = id
    this.zone = zone
    this.#customer = `customer ${companyCustomer}`
    this.level = caller.level
    this.revision = revision
    this.stamp = stamp
  }

  get user (): number {
    return this.#caller.user
  }

  /** What the caller may do, as authenticated. */
  get may (): May {
    return mayAt(this.level)
  }

  /**
   * Runs a query in the read turn, with the values of its columns.
   * @param at the revision at which a replica may answer: by default that of the request; null if changes of the rows raise no revision
   */
  async read (query: BatchQuery, values: unknown[], at: Revision | null = this): Promise<Row[]> {
    return await this.#shared.read({ query, company: this.company, customer: this.#customer, values, ...at && { at: revisionOf(at) } })
  }

  /** Made on use, because waiting requests have a tenant each. @throws {HttpError} 403 for data of no company below level 4 */
  reader (resource: Scoped): Reader {
    const { scope = ofCompany } = resource
    const { company, first } = this.#ownerOf(resource)
    if (company === this.company) return async (query, values) => await this.read(query, values, scope.revised ? this : null)
    return async (query, values) => await this.#shared.read({ query, company, customer: this.#customer, values: [...first, ...values] })
  }

  /** The company of a resource's rows, and the first values of its queries, see {@link Scope}. @throws {HttpError} 403 */
  #ownerOf (resource: Scoped): { company: number, first: unknown[] } {
    requireCompanyScope(resource)
    if (resource.scope?.isOfNoCompany !== true) return { company: this.company, first: [] }
    if (this.level < 4) throw httpError(403)
    return { company: 0, first: [this.level === 4 ? this.#caller.company.companyCustomer : null] }
  }

  /** A page of the company's records. @throws {HttpError} 404 for a page that does not exist */
  async page (resource: Readable, query: ListQuery): Promise<Page> {
    return await readPage(this.reader(resource), resource, query, this.zone)
  }

  /** A complete record. @throws {HttpError} 404 */
  async record<R extends Readable> (resource: R, id: string): Promise<RowOf<R>> {
    return await readRecord(this.reader(resource), resource, id)
  }

  /** Runs queries in one snapshot of the company. */
  async inSnapshot<T> (resource: Scoped, deadline: number, work: (read: Reader) => Promise<T>): Promise<T> {
    const { company, first } = this.#ownerOf(resource)
    return await inSnapshot(this.#shared.database, [company], { holder: this.company, group: this.#customer }, deadline, async run =>
      await work(async (query, values) => (await answerAll(run, [{ query, company, values: [...first, ...values] }]))[0]))
  }

  /** Creates a record in the write turn, together with concurrent writes. */
  async create (resource: AnyResource, input: Input): Promise<Row> {
    return await this.#settled(
      async turns => ({ isOvertaken: false, result: await createRecord(turns, businessResource(resource), this.company, input) })
    )
  }

  /**
   * Creates a record in the write turn, and stores the answer under its key. A unit of work has to find out why nothing is written.
   * @returns as {@link createWithNewKey}
   */
  async createWithNewKey (resource: Resource, input: Input, newKey: NewKey, deadline: number): Promise<StoredAnswer | undefined> {
    try {
      return await createWithNewKey(this.#turns(deadline), resource, this.company, input, newKey)
    } catch (error) {
      if (error instanceof FollowUpError) throw error.cause
      if (isDataError(error) || isChangedCaller(error)) return undefined
      throw error
    }
  }

  /** Creates or changes one record per item, all or none. @returns the complete records @throws as {@link writeItems} */
  async bulk (resource: Resource, items: Input[], upsert: Upsert): Promise<Row[]> {
    return await this.unit(async (_, writer) => await writer.bulk(resource, items, upsert))
  }

  /** Creates or changes a record per valid item. @returns as {@link writeValidItems} */
  async partialBulk (resource: Resource, items: Input[], upsert: Upsert): Promise<Outcome[]> {
    return await this.unit(async (_, writer) => await writer.partialBulk(resource, items, upsert))
  }

  /** Changes the fields of the input. @returns the complete record @throws as {@link updateRecord} */
  async update (resource: AnyResource, id: string, input: Input, unchanged: Precondition): Promise<Row> {
    return await this.#settled(async (turns, may) =>
      await updateRecord(turns, businessResource(resource), this.company, id, input, unchanged, may))
  }

  /** Deletes a record. @throws as {@link removeRecord} */
  async remove (resource: AnyResource, id: string, unchanged: Precondition): Promise<void> {
    await this.#settled(async turns => await removeRecord(turns, businessResource(resource), this.company, id, unchanged))
  }

  /**
   * Writes in the common turns. If another writer comes first or the caller's rights change, it writes in a unit of work, which checks the
   * rights again.
   */
  async #settled<T> (write: (turns: Turns, may: May) => Promise<Attempt<T>>): Promise<T> {
    let attempt: Attempt<T> = { isOvertaken: true }
    // The same deadline for all attempts, so that they do not add up.
    const deadline = performance.now() + maxWaitMs
    try {
      attempt = await write(this.#turns(deadline), this.may)
    } catch (error) {
      if (!isChangedCaller(error)) throw error
    }
    if (attempt.isOvertaken) {
      contention.publish('overtaken')
      attempt = await this.unit(async (unit, { may }) => await write(unit, may), { deadline })
    }
    if (attempt.isOvertaken) throw httpError(409)
    return attempt.result
  }

  /** The common turns for the caller. */
  #turns (deadline: number): Turns {
    const { authority } = this.#caller
    const customer = this.#customer
    return {
      read: async request => await this.#shared.read({ ...request, customer, caller: authority }),
      write: async request => await this.#shared.write({ ...request, customer, caller: authority, deadline })
    }
  }

  /** Runs a unit of work. @throws {HttpError} 401 and 403 if the caller lost access to the company since authentication */
  async unit<T> (
    work: (unit: UnitOfWork, writer: CompanyWriter) => Promise<T>, { key, deadline }: { key?: IdempotencyKey, deadline?: number } = {}
  ): Promise<T> {
    const { user, sid, access } = this.#caller
    const { company } = this
    const reads = [stateStatement(sid, company), ...key === undefined ? [] : [answerStatement(key)]]
    return await inCompany(this.#shared.database, company, async (unit) => {
      const present = requireLive(stateIn(unit.first[0]), user)
      const may = mayAt(requireLevel(present, access).level)
      const many = () => workOf(unit.run, this.#customer)
      return await work(unit, {
        may,
        create: async (resource, input) => await createRecord(unit, businessResource(resource), company, input),
        bulk: async (resource, items, upsert) => await writeItems(many(), resource, company, items, upsert, may),
        partialBulk: async (resource, items, upsert) => await writeValidItems(many(), resource, company, items, upsert, may)
      })
    }, { keyLock: key?.lock, reads, deadline, customer: this.#customer, user })
  }

  /** Runs one statement on a connection for slow reads. */
  async readAlone<R extends object = Row> (statement: Statement<R>): Promise<R[]> {
    const { sql, shares } = this.#shared.database
    const [rows] = await shares.slowReads.run(
      this.company, performance.now() + maxWaitMs, async () => await sql.within([this.company], 'read only', [statement]), this.#customer
    )
    return rows
  }
}

function mayAt (level: Level): May {
  return operation => mayAtLevel(level, operation)
}

/** The resource, which the handler of a route can only have from a declaration for companies. @throws {Error} for a resource of accounts */
function businessResource (resource: AnyResource): Resource {
  if (resource.kind !== 'company') throw new Error(`${resource.name} are not records of a company`)
  return resource
}

/**
 * Account tables have no policies, and their statements would take the company's id for a customer's.
 * @throws {Error} for a resource of accounts
 */
function requireCompanyScope ({ name, scope = ofCompany }: Scoped): void {
  if (scope.owner !== ofCompany.owner) throw new Error(`${name} are not records of a company`)
}
