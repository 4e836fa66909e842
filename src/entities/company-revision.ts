import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'

/**
 * One row a company: the number that every committed write to its business data raises, and how many records
 * of each resource it has. Triggers alone write it. It stands outside row level security, because the door
 * reads it in the same statement that finds out which company a caller is in; it holds no business data.
 * @param resources names of the resources of companies
 */
export function companyRevisionOf (resources: readonly string[]) {
  return defineEntity({
    name: 'CompanyRevision',
    tableName: 'company_revisions',
    properties: {
      company: p.manyToOne(companies.entity).mapToPk().primary().deleteRule('cascade'),
      revision: p.bigint('number').default(0),
      ...Object.fromEntries(resources.map(name => [name, p.integer().default(0)]))
    }
  })
}
