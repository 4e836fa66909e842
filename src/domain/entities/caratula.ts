import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'
import { estimates } from '../estimates/resource.ts'
import { tenantWalls } from '../../resources/declaration/table.ts'

/** The cover sheets of authorized estimates, as they were at the authorization. Only triggers write it. */
export const KeptCaratula = defineEntity({
  name: 'KeptCaratula',
  tableName: 'caratulas',
  ...tenantWalls,
  properties: {
    company: p.manyToOne(companies.entity).mapToPk().primary().createForeignKeyConstraint(false),
    estimate: p.manyToOne(estimates.entity).mapToPk().primary().createForeignKeyConstraint(false).deleteRule('cascade'),
    figures: p.json().columnType('json')
  }
})
