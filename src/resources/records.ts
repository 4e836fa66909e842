import type { Row } from '../database/sql.ts'
import type { Precondition } from '../http/etag.ts'
import type { Answer, IdempotencyKey } from './writing/idempotency.ts'
import type { ListQuery, Page } from './reading/page.ts'
import type { Input } from './declaration/resource.ts'

/** Creates records, by itself or within a unit of work. */
export interface Writer<R> {
  /** @returns the record, whole @throws {ValidationError} with all problems; HttpError 409 */
  create: (resource: R, input: Input) => Promise<Row>
}

/** What a request may read and write of resources `R`, narrowed to what its caller may see. */
export interface Records<R, W extends Writer<R> = Writer<R>> extends Writer<R> {
  /** The caller's company, or null for accounts, and level there. */
  readonly company: number | null
  readonly level: number
  /** @throws {HttpError} 404 for a page that is not there */
  page: (resource: R, query: ListQuery) => Promise<Page>
  /** @throws {HttpError} 404 */
  record: (resource: R, id: string) => Promise<Row>
  /** Changes the fields that the input has. @returns the record, whole @throws {HttpError} 403, 404, 409, 412; {@link ValidationError} */
  update: (resource: R, id: string, input: Input, unchanged: Precondition) => Promise<Row>
  /** @throws {HttpError} 403, 404, 409, 412 */
  remove: (resource: R, id: string, unchanged: Precondition) => Promise<void>
  /**
   * The answer given under a key within a day, or else the one that `write` gives, in the transaction that keeps it.
   * @throws {HttpError} 409 while another request has the key, 422 if the key had another body
   */
  once: (key: IdempotencyKey, write: (writer: W) => Promise<Answer>) => Promise<Answer>
}
