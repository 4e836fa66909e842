import { copyTrigger, derivedTriggers, effectTriggers, numberTrigger, rowsOf, writableTriggers, type CopiedColumn, type StatementEvent } from '../../database/schema/child-triggers.ts'
import type { Triggers } from '../../database/schema/triggers.ts'
import type { Fields } from './declare.ts'
import type { FieldSpec } from './field.ts'
import type { Resource, ScopeColumn, Values } from './resource.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { derivedRule } from './sums.ts'

/**
 * The state of a parent that allows writes of its records, with the 409 otherwise:
 * `{ estimate: 'estado', is: 'borrador', otherwise: 'estimateNotDraft' }`. The key `estimate` is a required and fixed reference, `estado` a
 * field there. Fields of `except` and `external_id` stay writable.
 */
export interface WritableWhile {
  [reference: string]: string | readonly string[] | undefined
  is: string | readonly string[]
  otherwise: ProblemKey
  except?: readonly string[]
}

/** A change of the record that `of` refers to, in the statement that writes the records. It raises the version there, like any change. */
export interface Effect {
  on: readonly StatementEvent[]
  of: string
  /** SQL by column of the other record. */
  set: Readonly<Record<string, string>>
  /** SQL condition over the other record, `p`, after the statement and its sums. */
  where: string
}

/** Parts of a declaration about other records. */
export interface ChildDeclaration {
  writableWhile?: WritableWhile
  effects?: readonly Effect[]
}

/** What follows from the fields of a record about its parents. */
export interface ChildParts extends Pick<Resource, 'fixed' | 'copies' | 'uniqueWithin' | 'constraints' | 'sums' | 'writableState'> {
  triggers: Triggers
  uniques: Array<{ name: string, properties: string[] }>
  indexes: Array<{ name: string, expression: string }>
  /** The references that begin these. */
  begun: string[]
}

/** Derives unique values and numbers within a parent, copied values, and limits of generated ones. @throws {Error} for a reference that cannot be a parent */
export function childParts ({ name, fields, writableWhile, effects = [] }: ChildDeclaration & { name: string, fields: Fields }): ChildParts {
  const specs = Object.entries(fields).map(([field, { spec }]) => [field, spec] as const)
  const parent = (reference: string) => parentOf(name, fields, reference)
  const within = specs.flatMap(([field, { uniqueWithin }]) => uniqueWithin === undefined ? [] : [[field, uniqueWithin.map(parent)] as const])
  const copies = specs.flatMap(([field, spec]) => spec.copiedFrom === undefined ? [] : [{ ...copyOf(field, spec, parent), keptBy: spec.keptBy }])
  const numbered = specs.flatMap(([field, { numberedWithin, keptBy }]) => numberedWithin === undefined ? [] : [{ field, keptBy, reference: numberedWithin, column: parent(numberedWithin).column }])
  const sums = Object.fromEntries(specs.flatMap(([field, { sums }]) => sums === undefined ? [] : [[field, sums] as const]))
  const writableState = writableWhile === undefined ? undefined : stateOf(fields, writableWhile)
  return {
    sums,
    writableState,
    begun: [...within.map(([, [first]]) => first?.reference ?? ''), ...numbered.map(({ reference }) => reference)],
    fixed: specs.filter(([, { isFixed }]) => isFixed === true).map(([field]) => field),
    copies: copies.filter(({ keptBy }) => keptBy === undefined),
    uniqueWithin: Object.fromEntries(within.map(([field, references]) => [field, references.map(({ column, isNullable }) => ({ column, isNullable }))])),
    constraints: [
      ...specs.flatMap(([field, spec]) => limitOf(field, spec, Object.keys(fields))),
      ...Object.keys(sums).map(field => derivedRule(name, field, rowsOf(field)))
    ],
    triggers: Object.assign(
      {},
      ...copies.filter(({ keptBy }) => keptBy === undefined).map(copyTrigger),
      ...numbered.filter(({ keptBy }) => keptBy === undefined).map(({ field, column }) => numberTrigger(field, column)),
      writableState === undefined ? {} : writableTriggers(writableState),
      ...Object.keys(sums).map(derivedTriggers),
      ...effects.map(({ on, of, set, where }) => effectTriggers({ on, ...otherRecord(fields, of), set, where }))
    ),
    uniques: [
      ...within.flatMap(([field, references]) => references.some(({ isNullable }) => isNullable) ? [] : [{ name: `${name}_${field}_unique`, properties: ['company', ...references.map(({ reference }) => reference), field] }]),
      ...numbered.map(({ field, reference }) => ({ name: `${name}_${field}_unique`, properties: ['company', reference, field] }))
    ],
    indexes: within.flatMap(([field, references]) => references.some(({ isNullable }) => isNullable)
      ? [{ name: `${name}_${field}_unique`, expression: `create unique index ${name}_${field}_unique on ${name} (${['company_id', ...references.map(scope => scopeKey('', scope)), field].join(', ')})` }]
      : [])
  }
}

/** SQL of the column as an index has it: null is 0, which is no id, so that null is a value like others. @param alias with its dot */
export function scopeKey (alias: string, { column, isNullable }: ScopeColumn): string {
  return isNullable ? `coalesce(${alias}${column}, 0)` : `${alias}${column}`
}

/** Problems of fields that only a new record gets. */
export function immutableProblems (fixed: readonly string[], next: Values, current: Values | undefined): Problem[] {
  if (current === undefined) return []
  return fixed.filter(field => next[field] !== undefined && next[field] !== current[field]).map(field => ({ field, key: 'immutable' }))
}

function parentOf (name: string, fields: Fields, reference: string): ScopeColumn & { reference: string, spec: FieldSpec } {
  const field = fields[reference]
  if (field?.spec.reference === undefined || field.spec.reference.byName !== undefined) throw new Error(`${name}: ${reference} is no reference by id`)
  return { reference, spec: field.spec, column: `${reference}_id`, isNullable: field.spec.isNullable === true }
}

function copyOf (field: string, { copiedFrom, reference }: FieldSpec, parent: (reference: string) => { spec: FieldSpec }): CopiedColumn {
  const { via, field: source } = copiedFrom as NonNullable<FieldSpec['copiedFrom']>
  const { spec } = parent(via)
  if (spec.isFixed !== true || spec.isRequired !== true || spec.reference?.resource === 'self') throw new Error(`${field}: ${via} must be a required and fixed reference to another resource`)
  const suffix = reference === undefined ? '' : '_id'
  return { column: `${field}${suffix}`, via, table: (spec.reference as { resource: { name: string } }).resource.name, source: `${source}${suffix}` }
}

/** A generated decimal must fit its column. */
function limitOf (field: string, { generatedBy, whole }: FieldSpec, fields: string[]): Resource['constraints'] {
  if (generatedBy === undefined || whole === undefined) return []
  const dependsOn = fields.filter(other => new RegExp(`\\b${other}\\b`).test(generatedBy))
  return [{ field, key: 'derivedTooLarge', dependsOn, sql: `abs(${generatedBy}) >= 1e${whole}` }]
}

function otherRecord (fields: Fields, reference: string): { table: string, column: string } {
  const { reference: target } = fields[reference]?.spec ?? {}
  if (target === undefined || target.resource === 'self') throw new Error(`${reference} must be a reference to another resource`)
  return { table: target.resource.name, column: `${reference}_id` }
}

function stateOf (fields: Fields, { is, otherwise, except = [], ...parents }: WritableWhile): NonNullable<Resource['writableState']> {
  const [reference, state] = Object.entries(parents)[0] as [string, string]
  const { isFixed, isRequired } = fields[reference]?.spec ?? {}
  if (isFixed !== true || isRequired !== true) throw new Error(`writableWhile: ${reference} must be required and fixed`)
  const { table, column: parent } = otherRecord(fields, reference)
  const free = [...except, 'external_id'].map(field => fields[field]?.spec.reference === undefined ? field : `${field}_id`)
  return { parent, table, state, allowed: [is].flat(), free, otherwise }
}
