import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { contracts } from '../contracts/resource.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'

/** The levels of a contract with subcontracts, which triggers keep. */
export const ContractLevels = defineEntity({
  name: 'ContractLevels',
  tableName: 'contract_levels',
  ...tenantWalls,
  indexes: [{ name: 'contract_levels_parent_index', properties: ['company', 'parent', 'levels'] }],
  properties: {
    company: p.manyToOne(companies.entity).mapToPk().primary().createForeignKeyConstraint(false),
    contract: p.manyToOne(contracts.entity).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    parent: p.manyToOne(contracts.entity).mapToPk().nullable().createForeignKeyConstraint(false),
    /** Levels of its tree from the contract itself down: 2 or more, 51 for any number above 50. */
    levels: p.smallint()
  }
})
