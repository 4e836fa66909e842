import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { searchWalls } from '../../resources/declaration/table.ts'

/** The table `changes`: the records that each revision of a company created, updated or deleted. */
export const Change = defineEntity({
  name: 'Change',
  tableName: 'changes',
  ...searchWalls,
  indexes: [
    { name: 'changes_superseding_index', properties: ['company', 'resource', 'record_id', 'revision'], where: "operation <> 'insert'" }
  ],
  properties: {
    // No foreign key: the triggers that write here have just raised the company's revision. A check per row would double their cost.
    company: p.manyToOne(companies.entity).mapToPk().primary().createForeignKeyConstraint(false),
    revision: p.bigint('number').primary(),
    resource: p.string().length(32).primary(),
    record_id: p.bigint('number').primary(),
    operation: p.string().length(6).check("operation in ('insert', 'update', 'delete')"),
    changed_at: p.datetime(6).defaultRaw('clock_timestamp()')
  }
})
