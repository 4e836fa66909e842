import type { EntitySchema } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Row } from '../../database/sql.ts'
import type { Problem } from '../../http/errors.ts'
import type { Input } from '../../resources/input.ts'
import type { Declared } from '../../resources/declare.ts'
import type { Served } from '../../resources/records.ts'
import type { Readable, Values } from '../../resources/resource.ts'
import type { Scope } from '../../resources/scope.ts'
import type { Run } from '../../database/transaction.ts'
import type { Reach } from './reach.ts'

/** What a rule can look at, in the transaction that is to write: nobody else writes to accounts meanwhile. */
export interface Look {
  reach: Reach
  caller: { user: number, sid: string }
  /** The hash that verified the caller's present password, if the request required it. */
  verified: string | undefined
  /** A record that the caller reaches; one of another customer is as absent as one that is not there. */
  find: (resource: Readable, id: number) => Promise<Row | undefined>
  run: Run
}

/** A record as the request would have it. */
export interface Proposal {
  /** The fields that the request gives. */
  given: Values
  /** The whole record as it would be. */
  next: Values
  /** The record as it is, before an update. */
  current?: Row
}

/** Everything that the account management needs to know of a resource; fields have the names of the entity's properties. */
export interface AccountResource extends Omit<Declared, 'defaults'>, Served<AccountResource> {
  scope: Scope
  entity: EntitySchema<any>
  /** Values of a new record's fields that the request leaves out. */
  defaults: (reach: Reach) => Values
  /** What DELETE means. @throws {HttpError} 409 */
  removal?: (record: Row, em: EntityManager, look: Look) => Promise<void>
  /** Everything that stands against a record. */
  problems: (proposal: Proposal, look: Look) => Promise<Problem[]>
  /** Whether somebody of that reach may change a record at all; by default so. */
  mayChange?: (record: Row, reach: Reach) => boolean
  /** What a change of a record entails, in its transaction. */
  afterwards?: (id: number, given: Values, look: Look) => Promise<void>
}

/** An input of the account management. */
export interface AccountInput extends Input {
  /** The hash that verified the caller's present password, if the request required it. */
  verified?: string | undefined
}

/** Whether a field is to become another value than the record has. */
export function changes (field: string, { next, current }: Proposal): boolean {
  return current === undefined || next[field] !== current[field]
}

/** The problem of a reference to nothing that the caller reaches. */
export function absent (field: string, id: unknown): Problem {
  return { field, key: 'doesNotExist', values: { pk_value: id as number } }
}

/** The number that a counting statement brings. */
export async function counted (look: Look, text: string, values: unknown[]): Promise<number> {
  const [row] = await look.run({ text: `select count(*)::int as count ${text}`, values })
  return row?.['count'] as number
}
