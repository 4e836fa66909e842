import { defineEntity, type EntitySchema } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { AccountOperation } from '../../auth/access.ts'
import type { Row } from '../../database/sql.ts'
import { accountTriggers, triggerDefs } from '../../database/schema/triggers.ts'
import type { Problem } from '../../http/errors.ts'
import { columnsOf } from './columns.ts'
import { declare, type Common, type Declared, type Fields, type ResourceAccess, type TableDeclaration } from './declare.ts'
import type { Readable, Values } from './resource.ts'
import { AccountId } from './schemas.ts'
import type { Reach, Scope } from './scope.ts'
import { accountProperties } from './table.ts'
import type { Run } from '../../database/transaction.ts'
import type { Served } from './route-options.ts'

/** What a rule can look at, in the transaction that is to write: nobody else writes to accounts meanwhile. */
export interface RuleContext {
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

/** A resource of the account management, with all that follows from its declaration. */
export interface AccountResource extends Omit<Declared, 'defaults'>, Served {
  scope: Scope
  entity: EntitySchema<any>
  /** Values of a new record's fields that the request leaves out. */
  defaults: (reach: Reach) => Values
  /** What DELETE means. @throws {HttpError} 409 */
  removal?: (record: Row, em: EntityManager, rules: RuleContext) => Promise<void>
  /** Everything that stands against a record. */
  problems: (proposal: Proposal, rules: RuleContext) => Promise<Problem[]>
  /** Whether somebody of that reach may change a record at all; by default so. */
  mayChange?: (record: Row, reach: Reach) => boolean
  /** What a change of a record entails, in its transaction. */
  afterwards?: (id: number, given: Values, rules: RuleContext) => Promise<void>
}

/** What the routes of an account resource ask of their callers. */
type AccountAccess = Record<keyof ResourceAccess, AccountOperation>

/** Declares a resource of the account management. */
export interface AccountDeclaration<F extends Fields> extends Common<F>, TableDeclaration, Pick<AccountResource, 'scope' | 'problems'>, Partial<Pick<AccountResource, 'prepare' | 'mayChange' | 'afterwards' | 'removal'>> {
  access?: AccountAccess
  /** Values of a new record's fields that the request leaves out, beside those of the fields. */
  initial?: AccountResource['defaults']
}

const manage: AccountAccess = { read: 'accounts.read', write: 'accounts.manage', remove: 'accounts.manage' }

/** A resource of the account management: its entity, schemas and SQL follow from the declaration. */
export function defineAccounts<const F extends Fields> (declaration: AccountDeclaration<F>): AccountResource {
  const { name, title, columns = {}, table = {}, access = manage, initial = () => ({}), scope, problems, prepare, mayChange, afterwards, removal } = declaration
  const { defaults, ...declared } = declare(declaration, access, { id: AccountId }, 't.id')
  const entity: EntitySchema<any> = defineEntity({
    name: title,
    tableName: name,
    properties: { ...accountProperties, ...columnsOf(declaration as Common<any>, () => entity), ...columns },
    ...table,
    triggers: triggerDefs(name, { ...accountTriggers, ...table.triggers })
  } as never) as EntitySchema<any>
  return {
    ...declared,
    entity,
    defaults: reach => ({ ...defaults, ...initial(reach) }),
    scope,
    problems,
    prepare,
    mayChange,
    afterwards,
    removal
  }
}
