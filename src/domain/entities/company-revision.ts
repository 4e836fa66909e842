import { defineEntity, p } from '@mikro-orm/core'
import { companies } from '../accounts/companies.ts'

/**
 * One row per company: its revision, which each committed write to its business data or its name raises, and the number of its records by
 * resource. Only triggers write it. It has no row-level security, because authorization reads it in the statement that finds the caller's
 * company. It contains no business data.
 * @param resources names of the resources of companies
 */
export function companyRevisionOf (resources: readonly string[]) {
  return defineEntity({
    name: 'CompanyRevision',
    tableName: 'company_revisions',
    properties: {
      company: p.manyToOne(companies.entity).mapToPk().primary().deleteRule('cascade'),
      revision: p.bigint('number').default(0),
      /**
       * The microsecond, since 1970, at which the revision was raised. A restored database gives out a revision again, but with another
       * stamp.
       */
      stamp: p.bigint('number').default(0),
      ...Object.fromEntries(resources.map(name => [name, p.integer().default(0)]))
    }
  })
}
