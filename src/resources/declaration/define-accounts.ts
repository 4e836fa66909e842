import { defineEntity } from '@mikro-orm/core'
import { accountTriggers, historyTriggers, triggerDefs } from '../../database/schema/triggers.ts'
import type { AccountResource } from './account-resource.ts'
import { columnsOf } from './columns.ts'
import type { AccountAccess, AccountDeclaration } from './declaration.ts'
import { declare } from './declare.ts'
import { meaningsOf } from './meanings.ts'
import type { Fields } from './field.ts'
import { AccountId } from './schemas.ts'
import { accountProperties, type Columns, type Entity } from './table.ts'

const manage: AccountAccess = { read: 'accounts.read', write: 'accounts.manage', remove: 'accounts.manage' }

/** Declares a resource of accounts. Its entity, schemas and SQL follow from the declaration. */
export function defineAccounts<F extends Fields> (declaration: AccountDeclaration<F>): AccountResource<F> {
  const { name, title, columns = {}, table = {}, access = manage, initial = () => ({}), scope, owner } = declaration
  const { problems, mayChange, lock, afterwards, removal } = declaration
  const { defaults, ...declared } = declare(declaration, { access, head: { id: AccountId }, headSql: 't.id' })
  const properties: Columns = { ...accountProperties, ...columnsOf(declaration, () => entity), ...columns }
  const entity: Entity = defineEntity({
    name: title,
    tableName: name,
    properties,
    ...table,
    triggers: triggerDefs(name, {
      ...accountTriggers, ...historyTriggers(name, { ...declared.recorded.columns, ...owner }), ...table.triggers
    })
  })
  return {
    ...declared,
    kind: 'account',
    entity,
    meanings: meaningsOf({ table }),
    defaults: reach => ({ ...defaults, ...initial(reach) }),
    scope,
    owner,
    problems,
    mayChange,
    lock,
    afterwards,
    removal
  }
}
