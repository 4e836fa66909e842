import { defineEntity, type EntitySchema } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { AccountOperation } from '../../auth/access.ts'
import type { Row } from '../../database/connection/sql.ts'
import { accountTriggers, triggerDefs } from '../../database/schema/triggers.ts'
import type { Problem } from '../../http/errors.ts'
import { columnsOf } from './columns.ts'
import { declare, type Common, type Declared, type Fields, type ResourceAccess, type TableDeclaration } from './declare.ts'
import type { Readable, Resource, Values } from './resource.ts'
import { AccountId } from './schemas.ts'
import type { Reach, Scope } from './scope.ts'
import { accountProperties } from './table.ts'
import type { Run } from '../../database/turns/unit-of-work.ts'
import type { Served } from './route-options.ts'

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

/** A record with the changes of the request. */
export interface Proposal {
  /** Fields of the request. */
  given: Values
  /** The complete record after the change. */
  next: Values
  /** The current record, for an update. */
  current?: Row
}

/** A resource of accounts, with everything that follows from its declaration. */
export interface AccountResource extends Omit<Declared, 'defaults'>, Served, Pick<Resource, 'meanings'> {
  scope: Scope
  entity: EntitySchema<any>
  /** Default values of a new record. */
  defaults: (reach: Reach) => Values
  /** Runs a DELETE. @throws {HttpError} 409 */
  removal?: (record: Row, em: EntityManager, rules: RuleContext) => Promise<void>
  /** All problems of a proposed record. */
  problems: (proposal: Proposal, rules: RuleContext) => Promise<Problem[]>
  /** Whether a caller with this reach can change a record. Default: yes. */
  mayChange?: (record: Row, reach: Reach) => boolean
  /** Consequences of a change, in its transaction. */
  afterwards?: (id: number, given: Values, rules: RuleContext) => Promise<void>
}

/** Access that the routes of an account resource require. */
type AccountAccess = Record<keyof ResourceAccess, AccountOperation>

/** Declaration of a resource of accounts. */
export interface AccountDeclaration<F extends Fields> extends Common<F>, TableDeclaration, Pick<AccountResource, 'scope' | 'problems'>, Partial<Pick<AccountResource, 'prepare' | 'mayChange' | 'afterwards' | 'removal'>> {
  access?: AccountAccess
  /** Default values of a new record, besides those of the fields. */
  initial?: AccountResource['defaults']
}

const manage: AccountAccess = { read: 'accounts.read', write: 'accounts.manage', remove: 'accounts.manage' }

/** Declares a resource of accounts. Its entity, schemas and SQL follow from the declaration. */
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
    meanings: {},
    defaults: reach => ({ ...defaults, ...initial(reach) }),
    scope,
    problems,
    prepare,
    mayChange,
    afterwards,
    removal
  }
}
