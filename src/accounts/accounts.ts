import type { EntityManager } from '@mikro-orm/postgresql'
import type { Database } from '../database/database.ts'
import { sqlState, type Row, type Statement } from '../database/sql.ts'
import { ApiError, permissionDenied, preconditionFailed, refuse, type Problem } from '../errors.ts'
import type { Precondition } from '../http/etag.ts'
import type { Input } from '../resources/input.ts'
import { readPage, type ListQuery, type Page } from '../resources/page.ts'
import { findRecord, readRecord } from '../resources/record.ts'
import type { Asking } from '../resources/scope.ts'
import { inQueue } from '../resources/transaction.ts'
import { reachOf, type Reach } from './reach.ts'
import type { AccountResource, Look, Proposal, RemovableResource } from './resource.ts'

/** Whose account acts: its id, its own level and its customer, as the door found them. */
export interface Manager {
  user: number
  level: number | null
  customer: number | null
}

interface Work {
  em: EntityManager
  ask: Asking
  look: Look
}

// Any number that no other lock has: "acct".
const lock: Statement = { text: 'select pg_advisory_xact_lock($1)', values: [0x61636374] }

/** All that a handler of the account management gets of the database, narrowed to what the caller reaches. */
export class Accounts {
  readonly reach: Reach
  readonly #database: Database
  readonly #manager: Manager

  constructor (database: Database, manager: Manager) {
    this.#database = database
    this.#manager = manager
    this.reach = reachOf(manager.level as number, manager.customer)
  }

  /** A page of the accounts. @throws {ApiError} 404 for a page that is not there */
  async page (resource: AccountResource, query: ListQuery): Promise<Page> {
    return await readPage(asking(this.#database.sql.query, this.reach), resource, query)
  }

  /** One record, whole. @throws {ApiError} 404 */
  async record (resource: AccountResource, id: string): Promise<Row> {
    return await readRecord(asking(this.#database.sql.query, this.reach), resource, id)
  }

  /** Creates a record. @returns it, whole @throws {ValidationError} with everything that is wrong */
  async create (resource: AccountResource, input: Input): Promise<Row> {
    const given = await sealed(resource, input)
    return await this.#alone(async ({ em, ask, look }) => {
      const next = { ...resource.defaults(this.reach), ...given }
      await judge(resource, input, { given, next }, look)
      const entity = em.create(resource.entity, next)
      await em.flush()
      return await readRecord(ask, resource, entity.id)
    })
  }

  /**
   * Changes the fields that the input has.
   * @returns the whole record as it now is
   * @throws {ApiError} 404, 403, 412; {@link ValidationError} with everything that is wrong
   */
  async update (resource: AccountResource, id: string, input: Input, unchanged: Precondition): Promise<Row> {
    const given = await sealed(resource, input)
    return await this.#alone(async ({ em, ask, look }) => {
      const current = await this.#changeable(resource, id, unchanged, ask)
      await judge(resource, input, { given, next: { ...current, ...given }, current }, look)
      em.assign(await em.findOneOrFail(resource.entity, current['id']), given)
      await em.flush()
      await resource.afterwards?.(current['id'], given, look)
      return await readRecord(ask, resource, current['id'])
    })
  }

  /** Does what DELETE means for the resource. @throws {ApiError} 404, 403, 412, 409 `protected` */
  async remove (resource: RemovableResource, id: string, unchanged: Precondition): Promise<void> {
    await this.#alone(async ({ em, ask, look }) => await resource.remove(await this.#changeable(resource, id, unchanged, ask), em, look))
  }

  async #changeable (resource: AccountResource, id: string, unchanged: Precondition, ask: Asking): Promise<Row> {
    const record = await readRecord(ask, resource, id)
    if (resource.mayChange?.(record, this.reach) === false) throw permissionDenied()
    if (!unchanged(record['version'])) throw preconditionFailed()
    return record
  }

  /**
   * Runs a unit of work that no other writer to accounts interrupts. Writers past the lock (psql, the command line) may still take
   * a unique value between look and write: then the work is done again, and tells it.
   */
  async #alone<T> (work: (work: Work) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= 3; attempt++) {
      try {
        return await inQueue(this.#database, 'accounts', [lock], async (em, run) => {
          await this.#refuseChanged(run)
          const ask = asking(run, this.reach)
          return await work({ em, ask, look: { reach: this.reach, run, find: async (resource, id) => await findRecord(ask, resource, id) } })
        })
      } catch (error) {
        if (sqlState(error) !== '23505') throw error
      }
    }
    throw new ApiError(409, 'conflict', 'conflict')
  }

  /** What the door found may have changed while this waited for the lock: of two who deactivate each other, one is late. */
  async #refuseChanged (run: Look['run']): Promise<void> {
    const { user, level, customer } = this.#manager
    const found = await run({ text: 'select from users where id = $1 and activo and nivel_acceso = $2 and customer_id is not distinct from $3', values: [user, level, customer] })
    if (found.length === 0) throw permissionDenied()
  }
}

/** Asks, one request at a time, in the name of a reach. */
function asking (send: (statement: Statement) => Promise<Row[]>, { customer }: Reach): Asking {
  return async ({ name, text }, values) => await send({ name, text, values: [customer, ...values].map(value => [value ?? null]) })
}

/** The input's values in the form they are kept in; what is refused anyway needs none. */
async function sealed (resource: AccountResource, { values, problems }: Input): Promise<Input['values']> {
  return problems.length === 0 && resource.seal !== undefined ? await resource.seal(values) : values
}

/** @throws {ValidationError} with all problems, of a field that came in wrong those alone that it came in with */
async function judge (resource: AccountResource, { problems }: Input, proposal: Proposal, look: Look): Promise<void> {
  const wrong = new Set(problems.map(({ field }) => field))
  const found: Problem[] = await resource.problems(proposal, look)
  refuse([...problems, ...found.filter(({ field }) => !wrong.has(field))])
}
