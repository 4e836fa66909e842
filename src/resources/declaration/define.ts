import { defineEntity, type EntitySchema } from '@mikro-orm/core'
import { Type } from '@sinclair/typebox'
import { searchWalls, tenantProperties, tenantWalls } from './table.ts'
import { recordTriggers, triggerDefs } from '../../database/schema/triggers.ts'
import { AccountId, Id } from './schemas.ts'
import { childParts, immutableProblems, type ChildDeclaration, type ChildParts } from './children.ts'
import { columnsOf } from './columns.ts'
import { declare, type Common, type ResourceAccess, type Declared, type Fields, type TableDeclaration, type Wording } from './declare.ts'
import { meaningsOf } from './meanings.ts'
import { indexesOfLinks, linksOf } from './links.ts'
import { text } from './fields.ts'
import type { OrderingColumn, Resource } from './resource.ts'
import type { Served } from './route-options.ts'

/** The id of a record in another system. Every business resource has it. */
const externalId = text(128).nullable().unique()
  .describe('Id of the record in another system, unique in the company.', 'ERP-4711')

/** Declaration of a resource of a company. */
export interface CompanyDeclaration<F extends Fields> extends Common<F>, TableDeclaration, ChildDeclaration, Partial<Pick<Resource, 'joinsOfNew' | 'constraints' | 'clashes' | 'order' | 'kept' | 'rules' | 'conflict' | 'demands'>>, Pick<Served, 'prepare'> {
  /** The description of its routes in the OpenAPI document. Default: `many`, such as `Warehouses`. */
  about?: string
  /** Names of a record and of several in Spanish messages: `un contrato`, `contratos`. */
  spanish: Wording
  /** Access that the routes require. Default: the operations `read`, `edit` and `delete`. */
  access?: ResourceAccess
  /** Whether the table has an index by `updated_at`, for companies with very many records. */
  isLarge?: boolean
  /**
   * Whether the change feed and webhooks have its records `always`, or only for clients that name the resource (the default): a client that
   * names none must not receive records of a kind that it does not know.
   */
  feed?: 'always' | 'named'
}

/** A resource of a company, with everything that follows from its declaration. */
export type CompanyResource = Resource & Declared & Served & { entity: EntitySchema<any>, about: string, feed: 'always' | 'named' }

/**
 * Declares a resource of a company. Its entity, schemas and SQL follow from the declaration.
 * @param companies the entity of the tenants
 */
export function defineTenantResource<const F extends Fields> (companies: EntitySchema<any>, declaration: CompanyDeclaration<F>): CompanyResource {
  const { one, many, about = capitalized(many), spanish, access = { read: 'read', write: 'edit', remove: 'delete' }, isLarge = false, feed = 'named', joinsOfNew, constraints = [], clashes, order, kept, rules = () => [], conflict, demands, prepare } = declaration
  const own = one.replace(/^an? /, 'the ')
  const head = { id: Id, company: Type.Integer({ ...AccountId, description: `Id of the company of ${own}.` }) }
  const tail = { external_id: externalId.filterable(`${own.replace('the', 'The')} with exactly this external id.`, 'ERP-4711') }
  const child = childParts(declaration)
  const declared = declare(declaration, access, head, 't.id, t.company_id as company', tail)
  if (isLarge) (declared.ordering['updated_at'] as OrderingColumn).indexed = true
  return {
    ...declared,
    about,
    entity: entityOf(companies, declaration, declared.unique, child),
    feed,
    joinsOfNew,
    fixed: child.fixed,
    copies: child.copies,
    sums: child.sums,
    writableState: child.writableState,
    uniqueWithin: child.uniqueWithin,
    constraints: [...child.constraints, ...constraints],
    meanings: meaningsOf(declaration),
    clashes,
    order,
    called: { en: one, es: spanish.one },
    links: linksOf(declaration),
    dependents: [],
    cascades: false,
    kept,
    rules: (next, current, given) => [...immutableProblems(child.fixed, next, current), ...rules(next, current, given)],
    conflict,
    demands,
    prepare
  } as CompanyResource
}

function capitalized (text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function entityOf (companies: EntitySchema<any>, declaration: CompanyDeclaration<any>, unique: string[], child: ChildParts): EntitySchema<any> {
  const { name, title, columns = {}, table = {}, isLarge, search } = declaration
  const entity: EntitySchema<any> = defineEntity({
    name: title,
    tableName: name,
    ...search.columns.length > 0 ? searchWalls : tenantWalls,
    properties: { ...tenantProperties(companies), ...columnsOf(declaration, () => entity), ...columns },
    checks: (table.checks ?? []).map(({ name, expression }) => ({ name, expression })),
    uniques: [
      { name: `${name}_company_id_unique`, properties: ['company', 'id'] },
      ...unique.map(field => ({ name: `${name}_${field}_unique`, properties: ['company', field], ...field === 'external_id' ? { where: 'external_id is not null' } : {} })),
      ...child.uniques,
      ...table.uniques ?? []
    ],
    indexes: [
      ...isLarge === true ? [{ name: `${name}_updated_at_index`, properties: ['company', 'updated_at', 'id'] }] : [],
      ...indexesOfLinks(declaration, child.begun),
      ...child.indexes,
      ...table.indexes ?? []
    ],
    triggers: triggerDefs(name, { ...recordTriggers(name), ...child.triggers, ...table.triggers })
  } as never) as EntitySchema<any>
  return entity
}
