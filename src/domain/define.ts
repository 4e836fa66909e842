import type { CompanyDeclaration } from '../resources/declaration/declaration.ts'
import { defineTenantResource } from '../resources/declaration/define.ts'
import type { Fields } from '../resources/declaration/field.ts'
import type { Resource } from '../resources/declaration/resource.ts'
import { companies } from './accounts/companies.ts'

/** Declares a resource of a company. Its entity, schemas and SQL follow from the declaration. */
export function defineResource<F extends Fields> (declaration: CompanyDeclaration<F>): Resource<F> {
  return defineTenantResource(companies.entity, declaration)
}
