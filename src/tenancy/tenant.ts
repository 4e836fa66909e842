import { may, type Level } from '../access.ts'
import { conflicts } from '../channels.ts'
import type { Database } from '../database/database.ts'
import type { Row } from '../database/sql.ts'
import type { Shape, Turns } from '../database/turns.ts'
import { ApiError } from '../errors.ts'
import type { Precondition } from '../http/etag.ts'
import type { IdempotencyKey } from '../idempotency/key.ts'
import { alone, claim, once, type Answer } from '../idempotency/once.ts'
import type { Once } from '../idempotency/post.ts'
import { writeItems, type Upsert } from '../resources/bulk.ts'
import { createRecord } from '../resources/create.ts'
import type { Input } from '../resources/input.ts'
import { readPage, type ListQuery, type Page } from '../resources/page.ts'
import { readRecord } from '../resources/record.ts'
import type { Resource } from '../resources/resource.ts'
import type { Asking } from '../resources/scope.ts'
import { asCompany, inCompany, type Run, type Work } from '../resources/transaction.ts'
import { removeRecord, updateRecord, type May } from '../resources/update.ts'

/** What tenants share: the database and its two turns. */
export interface Shared extends Turns {
  database: Database
}

/** What a POST does with a resource. */
export interface Writer {
  /** Creates a record. @returns it, whole @throws as {@link createRecord} */
  create: (resource: Resource, input: Input) => Promise<Row>
  /** Creates or changes a record an item, all or none. @returns them, whole @throws as {@link writeItems} */
  bulk: (resource: Resource, items: Input[], upsert: Upsert) => Promise<Row[]>
}

/** The first wall: all that a business route's handler gets of the database, narrowed to the caller's active company. */
export class Tenant implements Writer, Once<Writer> {
  readonly company: number
  /** The company's revision, read after the request arrived. */
  readonly revision: number
  readonly #shared: Shared
  readonly #asking: Asking
  readonly #may: May

  constructor (shared: Shared, company: number, revision: number, level: Level) {
    this.#shared = shared
    this.#asking = asCompany(shared.read, company)
    this.#may = operation => may(level, operation)
    this.company = company
    this.revision = revision
  }

  /** Asks the read turn for a shape of the company's own, with the values of its columns. */
  async ask (shape: Shape, values: unknown[]): Promise<Row[]> {
    return await this.#asking(shape, values)
  }

  /** A page of the company's records. @throws {ApiError} 404 for a page that is not there */
  async page (resource: Resource, query: ListQuery): Promise<Page> {
    return await readPage(this.#asking, resource, query)
  }

  /** One record, whole. @throws {ApiError} 404 */
  async record (resource: Resource, id: string): Promise<Row> {
    return await readRecord(this.#asking, resource, id)
  }

  /** In the write turn, with what others create at this moment. */
  async create (resource: Resource, input: Input): Promise<Row> {
    return await createRecord(this.#shared, resource, this.company, input)
  }

  async bulk (resource: Resource, items: Input[], upsert: Upsert): Promise<Row[]> {
    return await this.#unit(async work => await this.#writer(work).bulk(resource, items, upsert))
  }

  /** The answer given under a key, or else the one that `write` gives in a unit of work. @throws as {@link once} and {@link claim} */
  async once (key: IdempotencyKey, write: (writer: Writer) => Promise<Answer>): Promise<Answer> {
    return await alone(this.#shared.database, key, async () => await this.#unit(
      async work => await once(work.run, key, async () => await write(this.#writer(work))),
      async run => await claim(run, key)))
  }

  /** Changes the fields that the input has. @returns the record, whole @throws as {@link updateRecord} */
  async update (resource: Resource, id: string, input: Input, unchanged: Precondition): Promise<Row> {
    return await this.#settled(async turns => await updateRecord(turns, resource, this.company, id, input, unchanged, this.#may))
  }

  /** Deletes a record. @throws as {@link removeRecord} */
  async remove (resource: Resource, id: string, unchanged: Precondition): Promise<void> {
    await this.#settled(async turns => await removeRecord(turns, resource, this.company, id, unchanged))
  }

  /** In the turns that all share, or, when another writer comes in between, in a unit of work, where none can. */
  async #settled<T> (write: (turns: Turns) => Promise<T | undefined>): Promise<T> {
    let done = await write(this.#shared)
    if (done === undefined) {
      conflicts.publish('overtaken')
      done = await this.#unit(write)
    }
    if (done === undefined) throw new ApiError(409, 'conflict', 'conflict')
    return done
  }

  async #unit<T> (work: (work: Work) => Promise<T>, first?: (run: Run) => Promise<void>): Promise<T> {
    return await inCompany(this.#shared.database, this.company, work, first)
  }

  #writer (work: Work): Writer {
    return {
      create: async (resource, input) => await createRecord(work, resource, this.company, input),
      bulk: async (resource, items, upsert) => await writeItems(work, resource, this.company, items, upsert, this.#may)
    }
  }
}
