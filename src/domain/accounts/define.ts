import { defineEntity, type EntitySchema } from '@mikro-orm/core'
import { accountProperties } from '../entities/account.ts'
import { accountTriggers, triggerDefs } from '../../database/schema/triggers.ts'
import { columnsOf } from '../../resources/columns.ts'
import { declare, type Common, type Fields, type ResourceAccess, type TableDeclaration } from '../../resources/declare.ts'
import { AccountId } from '../../resources/schemas/fields.ts'
import type { AccountResource } from './resource.ts'

/** Declares a resource of the account management. */
export interface AccountDeclaration<F extends Fields> extends Common<F>, TableDeclaration, Pick<AccountResource, 'scope' | 'problems'>, Partial<Pick<AccountResource, 'prepare' | 'mayChange' | 'afterwards' | 'removal'>> {
  access?: ResourceAccess
  /** Values of a new record's fields that the request leaves out, beside those of the fields. */
  initial?: AccountResource['defaults']
}

const manage: ResourceAccess = { read: 'accounts.read', write: 'accounts.manage', remove: 'accounts.manage' }

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
    records: request => request.accounts,
    defaults: reach => ({ ...defaults, ...initial(reach) }),
    scope,
    problems,
    prepare,
    mayChange,
    afterwards,
    removal
  }
}
