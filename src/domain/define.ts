import { defineTenantResource, type CompanyDeclaration, type CompanyResource } from '../resources/declaration/define.ts'
import type { Fields } from '../resources/declaration/declare.ts'
import { companies } from './accounts/companies.ts'

/** Declares a resource of a company. Its entity, schemas and SQL follow from the declaration. */
export function defineResource<const F extends Fields> (declaration: CompanyDeclaration<F>): CompanyResource {
  return defineTenantResource(companies.entity, declaration)
}
