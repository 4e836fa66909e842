import type { Row } from '../database/connection/sql.ts'
import type { UnitOfWork } from '../database/turns/unit-of-work.ts'
import type { Precondition } from '../http/representation.ts'
import type { IdempotencyKey } from './writing/idempotency.ts'
import type { ListQuery, Page } from './reading/page.ts'
import type { AnyResource } from './declaration/account-resource.ts'
import type { Readable } from './declaration/base-resource.ts'
import type { Input } from './declaration/input.ts'
import type { Reader } from './declaration/scope.ts'
import type { RowOf } from './declaration/values.ts'

/** Creates records, in its own transaction or in a unit of work. */
export interface Writer {
  /** @returns the complete record @throws {ValidationError} with all problems; {@link HttpError} 409 */
  create: (resource: AnyResource, input: Input) => Promise<Row>
}

/** A resource whose scope limits queries. */
export type Scoped = Pick<Readable, 'name' | 'scope'>

/**
 * Reads and writes records, limited to the caller's reach: those of a company, or accounts. Each method throws for a resource of the other
 * kind.
 */
export interface Records extends Writer {
  /** The caller's company, or null for accounts, and the level there. */
  readonly company: number | null
  readonly level: number
  /** The time zone of times without an offset: that of the company, or UTC for accounts. */
  readonly zone: string
  /** @throws {HttpError} 404 for a page that does not exist */
  page: (resource: Readable, query: ListQuery) => Promise<Page>
  /** Runs queries of a resource, each in a snapshot of its own. */
  reader: (resource: Scoped) => Reader
  /**
   * Runs queries of a resource in one snapshot. They hold a connection until `work` ends.
   * @param deadline by `performance.now()` @throws {Crowded} at `deadline`
   */
  inSnapshot: <T>(resource: Scoped, deadline: number, work: (read: Reader) => Promise<T>) => Promise<T>
  /** @throws {HttpError} 404 */
  record: <R extends Readable>(resource: R, id: string) => Promise<RowOf<R>>
  /** Changes the fields of the input. @returns the complete record @throws {HttpError} 403, 404, 409, 412; {@link ValidationError} */
  update: (resource: AnyResource, id: string, input: Input, unchanged: Precondition) => Promise<Row>
  /** @throws {HttpError} 403, 404, 409, 412 */
  remove: (resource: AnyResource, id: string, unchanged: Precondition) => Promise<void>
  /**
   * Runs a unit of work, which checks the caller again under its lock.
   * @param options `key` of the request: the unit tries to lock it, and its stored answer is the last of the first reads; `deadline` of the
   * wait, by `performance.now()`
   * @throws {HttpError} 401 and 403 if the caller has lost access since authentication
   */
  unit: <T>(work: (unit: UnitOfWork, writer: Writer) => Promise<T>, options?: { key?: IdempotencyKey, deadline?: number }) => Promise<T>
}
