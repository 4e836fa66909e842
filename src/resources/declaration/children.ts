import {
  copyTriggers, derivedTriggers, effectTriggers, fixedTriggers, rowsOf, writableTriggers
} from '../../database/schema/child-triggers.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { CompanyDeclaration, WritableWhile } from './declaration.ts'
import type { Fields } from './field.ts'
import type { FieldSpec } from './field-spec.ts'
import type { ScopeColumn } from './link.ts'
import type { Resource } from './resource.ts'
import { numbersOf, triggersOfNumbers } from './numbers.ts'
import { isClosed, type ParentState } from './parent-state.ts'
import { setColumnTriggers } from './set-columns.ts'
import { derivedRule } from './sums.ts'
import { copyOf, isCopied } from './copied-fields.ts'

/** What follows from the fields of a record about its parents. */
export interface ChildParts
  extends Pick<Resource, 'fixed' | 'notNull' | 'copies' | 'uniqueWithin' | 'constraints' | 'sums' | 'writableStates'> {
  triggers: Triggers
  uniques: Array<{ name: string, properties: string[] }>
  indexes: Array<{ name: string, expression: string }>
  /** The references that begin these. */
  begun: string[]
}

/**
 * Derives unique values and numbers within a parent, copied values, and limits of generated ones.
 * @throws {Error} for a reference that cannot be a parent, and numbers apart without a trigger; as {@link setColumnTriggers}
 */
export function childParts (
  { name, fields, states, writableWhile, effects = [] }:
  Pick<CompanyDeclaration<Fields>, 'name' | 'fields' | 'states' | 'writableWhile' | 'effects'>
): ChildParts {
  const specs = Object.entries(fields).map(([field, { spec }]) => [field, spec] as const)
  const parent = (reference: string) => parentOf(name, fields, reference)
  const within = specs.flatMap(([field, { uniqueWithin }]) =>
    uniqueWithin === undefined ? [] : [[field, uniqueWithin.map(parent)] as const])
  const copies = specs.flatMap(([field, spec]) => isCopied(spec) ? [{ ...copyOf(field, spec, parent), keptBy: spec.keptBy }] : [])
  const own = copies.filter(({ keptBy }) => keptBy === undefined)
  const fixed = specs.filter(([, { isFixed }]) => isFixed === true).map(([field]) => field)
  const numbered = numbersOf(specs, parent)
  const uncounted = numbered.find(({ apart, keptBy }) => apart !== undefined && keptBy === undefined)
  if (uncounted !== undefined) {
    throw new Error(`${name}: ${uncounted.field} has numbers apart, which only a trigger of the resource counts: name it with keptBy()`)
  }
  const sums = Object.fromEntries(specs.flatMap(([field, { sums }]) => sums === undefined ? [] : [[field, sums] as const]))
  const writableStates = [writableWhile ?? []].flat().map(rule => stateOf(fields, rule))
  return {
    sums,
    writableStates,
    begun: [...within.map(([, [first]]) => first?.reference ?? ''), ...numbered.map(({ reference }) => reference)],
    fixed,
    notNull: specs.filter(([, { isNullRefused }]) => isNullRefused === true).map(([field]) => field),
    copies: own,
    uniqueWithin: Object.fromEntries(
      within.map(([field, references]) => [field, references.map(({ column, isNullable }) => ({ column, isNullable }))])
    ),
    constraints: [
      ...specs.flatMap(([field, spec]) => limitOf(field, spec, Object.keys(fields))),
      ...Object.entries(sums).map(([field, specs]) => derivedRule(name, field, rowsOf(field), specs.map(({ of }) => of))),
      ...specs.flatMap(([field, spec]) => sharedOf(name, field, spec, parent)),
      ...writableStates.flatMap(newRecordOf)
    ],
    triggers: Object.assign(
      {},
      fixedTriggers([
        ...fixed.map(field => fields[field]?.spec.reference === undefined ? field : `${field}_id`), ...own.map(({ column }) => column)
      ]),
      ...own.map(copy => copyTriggers(name, copy)),
      triggersOfNumbers(name, numbered),
      setColumnTriggers(name, specs, numbered, states),
      ...writableStates.map(writableTriggers),
      ...Object.keys(sums).map(field => derivedTriggers(field)),
      ...effects.map(({ on, of, set, where }) => effectTriggers({ on, ...otherRecord(fields, of), set, where }))
    ),
    uniques: [
      ...within.flatMap(([field, references]) => references.some(({ isNullable }) => isNullable)
        ? []
        : [{ name: `${name}_${field}_unique`, properties: ['company', ...references.map(({ reference }) => reference), field] }]),
      ...numbered.filter(({ apart }) => apart === undefined)
        .map(({ field, reference, by }) => ({ name: `${name}_${field}_unique`, properties: ['company', reference, ...by, field] }))
    ],
    indexes: [
      ...within.flatMap(([field, references]) => references.some(({ isNullable }) => isNullable)
        ? [{
            name: `${name}_${field}_unique`,
            expression: `create unique index ${name}_${field}_unique on ${name} ` +
              `(${uniqueColumns(references, field).join(', ')}) nulls not distinct`
          }]
        : []),
      ...numbered.flatMap(({ field, column, apart }) => apart === undefined
        ? []
        : [{
            name: `${name}_${field}_unique`,
            expression: `create unique index ${name}_${field}_unique on ${name} (company_id, ${column}, ${field}, (${apart}))`
          }])
    ]
  }
}

/** The columns of an index over a value that is unique within references: nullable ones last, because no range of an index finds a null. */
function uniqueColumns (references: readonly ScopeColumn[], field: string): string[] {
  const columns = (isNullable: boolean) => references.filter(scope => scope.isNullable === isNullable).map(({ column }) => column)
  return ['company_id', ...columns(false), field, ...columns(true)]
}

function parentOf (name: string, fields: Fields, reference: string): ScopeColumn & { reference: string, spec: FieldSpec } {
  const field = fields[reference]
  if (field?.spec.reference === undefined || field.spec.reference.byName !== undefined) {
    throw new Error(`${name}: ${reference} is no reference by id`)
  }
  return { reference, spec: field.spec, column: `${reference}_id`, isNullable: field.spec.isNullable === true }
}

/** A generated decimal must fit its column. */
function limitOf (field: string, { generatedBy, whole }: FieldSpec, fields: string[]): Resource['constraints'] {
  if (generatedBy === undefined || whole === undefined) return []
  const dependsOn = fields.filter(other => new RegExp(`\\b${other}\\b`).test(generatedBy))
  const generated = generatedBy.replaceAll(new RegExp(`\\b(${dependsOn.join('|')})\\b`, 'g'), 'n.$1')
  const values = { fields: dependsOn.map(other => `\`${other}\``).join(', '), max_whole_digits: whole }
  return [{ field, key: 'generatedTooLarge', values, dependsOn, sql: `abs(${generated}) >= 1e${whole}` }]
}

/** A reference to a record with another value of the shared reference is refused. */
function sharedOf (
  name: string,
  field: string,
  { reference: { resource, within } = { resource: 'self' } }: FieldSpec,
  parent: (reference: string) => ScopeColumn
): Resource['constraints'] {
  if (within === undefined) return []
  const { column } = parent(within.reference)
  const table = resource === 'self' ? name : resource.name
  const other = keyedRow('id', { table, as: 'p', company: 'n.company_id', value: `n.${field}_id`, where: `p.${column} <> n.${column}` })
  return [{ field, key: within.otherwise, dependsOn: [field, within.reference], sql: `exists ${other}` }]
}

/** A new record whose parent has a state that refuses it under the reference. */
function newRecordOf (state: ParentState): Resource['constraints'] {
  return state.ofNew === undefined
    ? []
    : [{ field: state.reference, key: state.ofNew, only: 'new', sql: isClosed(state, 'n', 'n.company_id') }]
}

function otherRecord (fields: Fields, reference: string): { table: string, column: string } {
  const { reference: target } = fields[reference]?.spec ?? {}
  if (target === undefined || target.resource === 'self') throw new Error(`${reference} must be a reference to another resource`)
  return { table: target.resource.name, column: `${reference}_id` }
}

function stateOf (
  fields: Fields, { is, otherwise, ofNew, except = [], where, ...parent }: WritableWhile<Fields>
): Resource['writableStates'][number] {
  const rule: Record<string, string | undefined> = 'of' in parent && 'state' in parent
    ? { [String(parent.of)]: String(parent.state) }
    : parent
  const [[reference, state = ''] = ['']] = Object.entries(rule)
  if (fields[reference]?.spec.isFixed !== true) throw new Error(`writableWhile: ${reference} must be fixed`)
  const { table, column } = otherRecord(fields, reference)
  const free = [...except, 'external_id'].map(field => fields[field]?.spec.reference === undefined ? field : `${field}_id`)
  return { reference, parent: column, table, state, allowed: [is].flat(), free, where, otherwise, ofNew }
}
