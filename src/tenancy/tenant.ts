import type { Database } from '../database/database.ts'
import type { Row } from '../database/sql.ts'
import type { Ask, Shape } from '../database/turns.ts'
import { ApiError, refuse } from '../errors.ts'
import type { Precondition } from '../http/etag.ts'
import { createRecord } from '../resources/create.ts'
import { checkFacts } from '../resources/facts.ts'
import type { Input } from '../resources/input.ts'
import { readPage, type ListQuery, type Page } from '../resources/page.ts'
import { readRecord } from '../resources/record.ts'
import type { Resource } from '../resources/resource.ts'
import { removeRecord, updateRecord } from '../resources/update.ts'

/** What tenants share: the database and its two turns. */
export interface Turns {
  database: Database
  read: (ask: Ask) => Promise<Row[]>
  write: (ask: Ask) => Promise<Row[]>
}

/** The first wall: all that a business route's handler gets of the database, narrowed to the caller's active company. */
export class Tenant {
  readonly company: number
  /** The company's revision, read after the request arrived. */
  readonly revision: number
  readonly #turns: Turns

  constructor (turns: Turns, company: number, revision: number) {
    this.#turns = turns
    this.company = company
    this.revision = revision
  }

  /** Asks the read turn for a shape of the company's own, with the values of its columns. */
  async ask (shape: Shape, values: unknown[]): Promise<Row[]> {
    return await this.#turns.read({ shape, company: this.company, values })
  }

  /** A page of the company's records. @throws {ApiError} 404 for a page that is not there */
  async page (resource: Resource, query: ListQuery): Promise<Page> {
    return await readPage(async (shape, values) => await this.ask(shape, values), resource, query)
  }

  /** One record, whole. @throws {ApiError} 404 */
  async record (resource: Resource, id: string): Promise<Row> {
    return await readRecord(async (shape, values) => await this.ask(shape, values), resource, id)
  }

  /** Creates a record. @returns it, whole @throws {ValidationError} with everything that is wrong */
  async create (resource: Resource, input: Input): Promise<Row> {
    const problems = [...input.problems, ...resource.rules({ ...resource.defaults, ...input.values })]
    // What was in the way of the first attempt may be gone when it is looked at: then the second one succeeds.
    for (let attempt = 1; attempt <= 3; attempt++) {
      const record = problems.length === 0 ? await createRecord(this.#turns.write, resource, this.company, input.values) : undefined
      if (record !== undefined) return record
      const facts = await checkFacts(this.#turns.read, resource, this.company, input.values)
      refuse([...problems, ...facts.problems])
    }
    throw new ApiError(409, 'conflict', 'conflict')
  }

  /** Changes the fields that the input has. @returns the record, whole @throws as {@link updateRecord} */
  async update (resource: Resource, id: string, input: Input, unchanged: Precondition): Promise<Row> {
    return await updateRecord(this.#turns.database, resource, this.company, id, input, unchanged)
  }

  /** Deletes a record. @throws as {@link removeRecord} */
  async remove (resource: Resource, id: string, unchanged: Precondition): Promise<void> {
    await removeRecord(this.#turns.database, resource, this.company, id, unchanged)
  }
}
