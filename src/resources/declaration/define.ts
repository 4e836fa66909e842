import { defineEntity } from '@mikro-orm/core'
import { Type } from '@sinclair/typebox'
import { historyTriggers, recordTriggers, triggerDefs } from '../../database/schema/triggers.ts'
import type { CompanyAccess } from './base-resource.ts'
import { childParts, type ChildParts } from './children.ts'
import { columnsOf } from './columns.ts'
import type { CompanyDeclaration } from './declaration.ts'
import { declare } from './declare.ts'
import type { Fields } from './field.ts'
import { text } from './fields.ts'
import { guardTriggers } from './guards.ts'
import { indexesOfLinks, linksOf } from './links.ts'
import { meaningsOf } from './meanings.ts'
import type { Resource } from './resource.ts'
import { AccountId, Id } from './schemas.ts'
import { heldStates, meaningsOfStates, sealedRecords, sealTriggers } from './states.ts'
import { searchWalls, tenantProperties, tenantWalls, type Columns, type Entity } from './table.ts'

/** The id of a record in another system. Every business resource has it. */
const externalId = text(128).nullable().unique()
  .describe('Id of the record in another system, unique among the records of this resource in the company.', 'ERP-4711')

/**
 * Declares a resource of a company. Its entity, schemas and SQL follow from the declaration.
 * @param companies the entity of the tenants
 */
export function defineTenantResource<F extends Fields> (companies: Entity, declaration: CompanyDeclaration<F>): Resource<F> {
  const {
    one, many, spanish, about = capitalized(many), isLarge, feed = 'named', feedRoot, joinsOfNew, constraints = [], clashes,
    kept
  } = declaration
  const access: CompanyAccess = declaration.access ?? { read: 'read', write: 'edit', remove: 'delete' }
  const sealed = sealedRecords(declaration)
  if (sealed !== undefined && kept !== undefined) throw new Error(`${declaration.name}: its seal already refuses deletes`)
  const own = one.replace(/^an? /, 'the ')
  const child = childParts(declaration)
  const declared = declare(declaration, {
    access,
    head: { id: Id, company: Type.Integer({ ...AccountId, description: `Id of the company of ${own}.` }) },
    headSql: 't.id, t.company_id as company',
    tail: { external_id: externalId.filterable(`${own.replace('the', 'The')} with exactly this external id.`, 'ERP-4711') },
    isLarge
  })
  return {
    ...declared,
    kind: 'company',
    access,
    about,
    entity: entityOf(companies, declaration, declared, child),
    feed,
    feedRoot,
    joinsOfNew,
    fixed: child.fixed,
    notNull: child.notNull,
    copies: child.copies,
    sums: child.sums,
    writableStates: child.writableStates,
    uniqueWithin: child.uniqueWithin,
    constraints: [...child.constraints, ...constraints],
    meanings: { ...meaningsOfStates(declaration), ...meaningsOf(declaration) },
    clashes,
    order: declaration.order,
    called: { en: one, es: spanish.one },
    links: linksOf(declaration),
    dependents: [],
    cascades: false,
    kept: kept ?? sealed,
    complete: declaration.complete,
    rules: declaration.rules ?? (() => []),
    states: declaration.states,
    changeableWhile: declaration.changeableWhile,
    demands: declaration.demands
  }
}

function capitalized (text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The column of a field. */
function columnOf ({ fields }: CompanyDeclaration<Fields>): (field: string) => string {
  return field => fields[field]?.spec.reference === undefined ? field : `${field}_id`
}

function entityOf (
  companies: Entity, declaration: CompanyDeclaration<Fields>, { unique, recorded }: Pick<Resource, 'unique' | 'recorded'>, child: ChildParts
): Entity {
  const { name, title, columns = {}, table = {}, isLarge, search } = declaration
  const properties: Columns = { ...tenantProperties(companies), ...columnsOf(declaration, () => entity), ...columns }
  const entity: Entity = defineEntity({
    name: title,
    tableName: name,
    ...search.columns.length > 0 ? searchWalls : tenantWalls,
    properties,
    checks: (table.checks ?? []).map(({ name, expression }) => ({ name, expression })),
    uniques: [
      { name: `${name}_company_id_unique`, properties: ['company', 'id'] },
      ...unique.map(field => ({
        name: `${name}_${field}_unique`,
        properties: ['company', field],
        ...field === 'external_id' ? { where: 'external_id is not null' } : {}
      })),
      ...child.uniques,
      ...table.uniques ?? []
    ],
    indexes: [
      ...isLarge === true ? [{ name: `${name}_updated_at_index`, properties: ['company', 'updated_at', 'id'] }] : [],
      ...indexesOfLinks(declaration, child.begun),
      ...child.indexes,
      ...table.indexes ?? []
    ],
    triggers: triggerDefs(name, {
      ...recordTriggers(name),
      ...historyTriggers(name, { ...recorded.columns, company: 'company_id', root: rootColumn(declaration, recorded) }),
      ...child.triggers,
      ...guardTriggers(name, [...child.constraints, ...declaration.constraints ?? [], ...heldStates(declaration)], columnOf(declaration)),
      ...sealTriggers(declaration),
      ...table.triggers
    })
  })
  return entity
}

/** The column with the root of a record, if answers have it. */
function rootColumn ({ fields, feedRoot }: CompanyDeclaration<Fields>, { columns: { shown } }: Resource['recorded']): string | undefined {
  if (feedRoot !== undefined) return 'id'
  const refersToRoot = ({ spec: { reference } }: Fields[string]) =>
    typeof reference?.resource === 'object' && reference.resource.feedRoot !== undefined
  return Object.entries(fields)
    .filter(([, field]) => refersToRoot(field)).map(([name]) => `${name}_id`).find(column => shown.includes(column))
}
