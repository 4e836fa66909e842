import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'

/** The table `history`: an entry for each change of a record, which triggers write in the transaction of the change (decision 51). */
export const History = defineEntity({
  name: 'History',
  tableName: 'history',
  ...tenantWalls,
  indexes: [
    { name: 'history_at_index', properties: ['company', 'at', 'id'] },
    { name: 'history_record_index', properties: ['company', 'record_id', 'at'] },
    { name: 'history_contract_index', properties: ['company', 'contract', 'at'], where: 'contract is not null' },
    { name: 'history_caller_index', properties: ['company', 'caller', 'at'] },
    { name: 'history_customer_index', properties: ['customer', 'at'], where: 'customer is not null' }
  ],
  properties: {
    id: p.bigint('number').primary(),
    // No foreign keys: entries stay when records and accounts are deleted. 0 for an account that belongs to no company.
    company: p.manyToOne(companies.entity).mapToPk().createForeignKeyConstraint(false),
    /** The customer of a user, or the customer itself. */
    customer: p.integer().strictNullable(),
    /** The contract that the record is, or belongs to. */
    contract: p.bigint('number').strictNullable(),
    resource: p.string().length(32),
    record_id: p.bigint('number'),
    version: p.integer(),
    at: p.datetime(6),
    /** The user who made the change. Null for other changes, such as with psql. */
    caller: p.integer().strictNullable(),
    operation: p.string().length(6).check("operation in ('insert', 'update', 'delete')"),
    /** Values by column: one of an insert or delete, the old and the new one of an update. */
    fields: p.json()
  }
})
