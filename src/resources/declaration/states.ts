import type { Triggers } from '../../database/schema/triggers.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { Constraint, ConstraintMeaning, KeptRecords } from './constraint.ts'
import type { Fields } from './field.ts'
import type { Values } from './input.ts'

/** The states that a record can change to, by its state. */
export type Transitions = Readonly<Record<string, readonly string[]>>

/** The states of a record, in its field `estado`. */
export interface States {
  /** The state of a new record. By default, any. */
  initial?: string
  to: Transitions
  /**
   * Other transitions of records with a value in a fixed field, such as `{ field: 'tipo', is: 'finiquito', to: { … } }`. Other states are
   * as in `to`.
   */
  other?: { field: string, is: string, to: Transitions }
  /** The message for a change of a state that only the database leaves. */
  final?: Readonly<Record<string, ProblemKey>>
}

/**
 * Fields that change only in one state of the record itself, with the 409 otherwise. Changes by triggers, such as those of a sum, are
 * allowed. Without `fields`, other states seal the record: only `external_id` and the transitions to further states remain, and no delete.
 */
export interface Changeable {
  is: string
  fields?: readonly string[]
  otherwise: ProblemKey
}

/** The problem of the state of a record after a write: that of a new record, or a change that is not allowed. It names the allowed ones. */
export function stateProblems ({ initial, to, other, final }: States, next: Values, current: Values | undefined): Problem[] {
  const { estado: state } = next
  if (state === undefined) return []
  if (current === undefined) {
    return initial === undefined || state === initial ? [] : [{ field: 'estado', key: 'estadoInitial', values: { initial } }]
  }
  const [from, target] = [String(current['estado']), String(state)]
  if (target === from) return []
  const allowed = (current[other?.field ?? ''] === other?.is ? other?.to[from] : undefined) ?? to[from] ?? []
  if (allowed.includes(target)) return []
  if (final?.[from] !== undefined) return [{ field: 'estado', key: final[from], values: { from, to: target } }]
  return allowed.length === 0
    ? [{ field: 'estado', key: 'estadoFinal', values: { from, to: target } }]
    : [{ field: 'estado', key: 'estadoTransition', values: { from, to: target, allowed: [...allowed] } }]
}

/** The message of a change that the state of the record does not allow (409), and whether the state seals the record. */
interface StateConflict {
  key: ProblemKey
  isSealed: boolean
}

/** What a resource declares about changes of its records. */
type ChangeRules = { written: readonly string[], states?: States | undefined, changeableWhile?: Changeable | undefined }

/** The conflict of a change with the state of the record. */
export function conflictOf ({ written, states, changeableWhile }: ChangeRules, next: Values, current: Values): StateConflict | undefined {
  if (changeableWhile === undefined || current['estado'] === changeableWhile.is) return undefined
  const { fields, otherwise: key } = changeableWhile
  const isSealed = fields === undefined
  const isWrongTransition = isSealed && states !== undefined && stateProblems(states, next, current).length > 0
  const isChanged = (fields ?? written.filter(isOfSeal)).some(field => next[field] !== current[field])
  return isWrongTransition || isChanged ? { key, isSealed } : undefined
}

/** Whether a seal includes a field. */
function isOfSeal (field: string): boolean {
  return field !== 'estado' && field !== 'external_id'
}

/** The name of the rule of transitions. */
export function transitionName (table: string): string {
  return `${table}_transition`
}

/** The records that their state seals, which cannot be deleted. */
export function sealedRecords (declared: Pick<Declared, 'name' | 'changeableWhile'>): KeptRecords | undefined {
  const seal = sealOf(declared)
  if (seal === undefined) return undefined
  return { sql: `t.estado <> ${quoted(seal.is)}`, key: seal.otherwise, name: fixedName(declared.name) }
}

/** Refuses deletes of sealed records. */
export function sealTriggers (declared: Pick<Declared, 'name' | 'changeableWhile'>): Triggers {
  const seal = sealOf(declared)
  if (seal === undefined) return {}
  const when = `old.estado <> ${quoted(seal.is)}`
  return { seal_delete: { fires: 'before delete', when, calls: 'refuse_sealed', args: [fixedName(declared.name)] } }
}

/** What a resource declares about changes in one state, if other states seal its records. */
function sealOf ({ changeableWhile }: Pick<Declared, 'changeableWhile'>): Changeable | undefined {
  return changeableWhile?.fields === undefined ? changeableWhile : undefined
}

/** The name of the rule of fields that change only in one state. */
function fixedName (table: string): string {
  return `${table}_fixed`
}

/** What a resource declares about the state of its records. */
type Declared = { name: string, fields: Fields, states?: States | undefined, changeableWhile?: Changeable | undefined }

/** SQL of a text. */
const quoted = (text: string) => `'${text}'`

/**
 * The rules about states that the engine checks with the record that it read, as triggers hold them. Their violation is reported as
 * {@link meaningsOfStates} says.
 */
export function heldStates ({ name, fields, states, changeableWhile }: Declared): Constraint[] {
  return [
    ...changeableWhile === undefined ? [] : [heldFields(name, changeableWhile, fields, states)],
    ...states === undefined ? [] : [heldTransitions(name, states)]
  ]
}

function heldFields (table: string, { is, fields, otherwise }: Changeable, all: Fields, states: States | undefined): Constraint {
  const rule = { field: 'estado', key: otherwise, name: fixedName(table), only: 'changed', held: 'row' } as const
  const isOther = `o.estado <> ${quoted(is)}`
  if (fields !== undefined) return { ...rule, dependsOn: fields, sql: `pg_trigger_depth() < 2 and ${isOther}` }
  const stored = Object.entries(all)
    .filter(([field, { spec: { property, reference } }]) => isOfSeal(field) && (property ?? reference) !== undefined)
  const differs = stored.map(([field, { spec: { reference } }]) => reference === undefined ? field : `${field}_id`)
    .map(column => `n.${column} is distinct from o.${column}`)
  const isWrongTransition = states === undefined ? 'n.estado <> o.estado' : `n.estado <> o.estado and ${isNoTransition(states)}`
  const dependsOn = [...stored.map(([field]) => field), 'estado']
  return { ...rule, dependsOn, sql: `${isOther} and (${[...differs, isWrongTransition].join(' or ')})` }
}

/** SQL: the change of `estado` is no declared transition. */
function isNoTransition ({ to, other }: States): string {
  const branches = (transitions: Transitions) => Object.entries(transitions).map(([from, allowed]) =>
    `when o.estado = ${quoted(from)} then n.estado = any (array[${allowed.map(quoted).join(', ')}]::text[])`).join(' ')
  const among = (words: string[]) => `any (array[${words.map(quoted).join(', ')}])`
  const ofOthers = other === undefined
    ? ''
    : `when o.${other.field} = ${quoted(other.is)} and o.estado = ${among(Object.keys(other.to))} then case ${branches(other.to)} end `
  return `not case ${ofOthers}${branches(to)} else false end`
}

function heldTransitions (table: string, states: States): Constraint {
  return {
    field: 'estado',
    key: 'estadoTransition',
    name: transitionName(table),
    only: 'changed',
    dependsOn: ['estado'],
    held: 'row',
    sql: isNoTransition(states),
    detail: "concat_ws(' ', o.estado, n.estado)"
  }
}

/** The problem of a change that the rule of states refused in a trigger. @param detail of its error: the states before and after */
export function transitionProblem (states: States, record: Values, detail = ''): Problem {
  const [from = '', to = ''] = detail.split(' ')
  const [problem = { field: 'estado', key: 'invalidValue' }] = stateProblems(states, { estado: to }, { ...record, estado: from })
  return problem
}

/** What the rules of {@link heldStates} mean when a trigger refuses a write. */
export function meaningsOfStates ({ name, states, changeableWhile }: Omit<Declared, 'fields'>): Record<string, ConstraintMeaning> {
  return {
    ...changeableWhile === undefined ? {} : { [fixedName(name)]: { conflict: changeableWhile.otherwise } },
    // With the states of the error, `transitionProblem` says more.
    ...states === undefined ? {} : { [transitionName(name)]: { field: 'estado', key: 'invalidValue' } }
  }
}
