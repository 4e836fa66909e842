import type { EntityManager } from '@mikro-orm/postgresql'
import type { Row } from '../../database/connection/sql.ts'
import type { Run } from '../../database/turns/unit-of-work.ts'
import type { HistoryColumns } from '../../database/schema/history-function.ts'
import type { Problem } from '../../http/errors.ts'
import type { Fields } from './field.ts'
import type { BaseResource, Readable } from './base-resource.ts'
import type { Values } from './input.ts'
import type { Resource } from './resource.ts'
import type { Reach, Scope } from './scope.ts'
import type { BodyOf, RecordOf } from './values.ts'

/** Context of a rule, in the transaction of the write, which holds the lock of all account writes. */
export interface RuleContext {
  reach: Reach
  caller: { user: number, sid: string }
  /** The hash that verified the caller's current password, if the request required it. */
  verified: string | undefined
  /** Reads a record within the caller's reach. A record of another customer is undefined, like an unknown one. */
  find: (resource: Readable, id: number) => Promise<Row | undefined>
  run: Run
}

/** A record that was read. */
export type StoredAccount<F extends Fields> = RecordOf<F> & { id: number }

/** A record with the changes of the request. */
export interface Proposal<F extends Fields> {
  /** Fields of the request. */
  given: BodyOf<F>
  /** The complete record after the change. */
  next: BodyOf<F>
  /** The current record, for an update. */
  current?: StoredAccount<F>
}

/** A {@link Proposal}, as the engine makes it. */
export interface ProposedRow {
  given: Values
  next: Values
  current?: Row
}

/** A resource of accounts, with everything that follows from its declaration. */
export interface AccountResource<F extends Fields = Fields> extends BaseResource<F> {
  kind: 'account'
  scope: Scope
  /** The column with the company or the customer of a record, for the history. */
  owner: Pick<HistoryColumns, 'company' | 'customer'>
  /** Default values of a new record. */
  defaults: (reach: Reach) => Values
  /** Runs a DELETE. @throws {HttpError} 409 */
  removal?(record: Row, em: EntityManager, rules: RuleContext): Promise<void>
  /** All problems of a proposed record. */
  problems(proposal: ProposedRow, rules: RuleContext): Promise<Problem[]>
  /** Whether a caller with this reach can change a record. Default: yes. */
  mayChange?(record: Row, reach: Reach): boolean
  /** What a change must lock before it writes, in its transaction. */
  lock?(id: number, rules: RuleContext): Promise<void>
  /** Consequences of a change, in its transaction. */
  afterwards?(id: number, given: Values, rules: RuleContext): Promise<void>
}

/** A resource of companies or of accounts. */
export type AnyResource = Resource | AccountResource
