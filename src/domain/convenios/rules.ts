import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import { stateProblems, type States } from '../../resources/declaration/states.ts'
import type { BodyOf, RecordOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'

type Body = BodyOf<typeof fields>
type Current = RecordOf<typeof fields>

/** The states of a change order. A signed one keeps its state. */
export const changeOrderStates: States = {
  initial: 'borrador',
  to: {
    borrador: ['enviado', 'cancelado'],
    enviado: ['autorizado', 'rechazado', 'borrador', 'cancelado'],
    autorizado: ['firmado', 'borrador', 'cancelado'],
    firmado: [],
    rechazado: ['borrador'],
    cancelado: []
  }
}

/** States that require the operation `decide`. */
const decided = ['autorizado', 'firmado', 'rechazado']

/** Amount and days change only while a change order is a `borrador`. */
export const changeOrderChanges = { is: 'borrador', fields: ['monto', 'dias', 'con_anticipo'], otherwise: 'convenioNotDraft' } as const

/** Fields of a decision. After it, only a caller who can decide may correct them. */
const decisionFields = ['fecha_autorizacion', 'fecha_firma', 'motivo_rechazo'] as const

/** The days that a state requires. */
const requiredDays: Readonly<Record<string, ReadonlyArray<'fecha_autorizacion' | 'fecha_firma'>>> = {
  autorizado: ['fecha_autorizacion'],
  firmado: ['fecha_autorizacion', 'fecha_firma']
}

/** Checks the fields of a change order against each other. @param current the record before an update @param given fields of the request */
export function changeOrderRules (next: Body, current: Current | undefined, given: Body): Problem[] {
  const { estado } = next
  if (estado === undefined || current === undefined || stateProblems(changeOrderStates, next, current).length > 0) return []
  const missing: string[] = (requiredDays[estado] ?? []).filter(field => next[field] === null)
  // The reason of an earlier rejection does not count for this one.
  const isUnexplained = estado !== current.estado && next.motivo_rechazo !== undefined && (given.motivo_rechazo ?? '') === ''
  if (estado === 'rechazado' && isUnexplained) missing.push('motivo_rechazo')
  return missing.map(field => ({ field, key: 'required' }))
}

/** The operation that a change of a change order requires. */
export function changeOrderDemands (given: Body, current: Current | undefined): Operation {
  const { estado = current?.estado ?? '' } = given
  if (current === undefined) return decided.includes(estado) ? 'decide' : 'edit'
  const isDecision = estado !== current.estado && (decided.includes(estado) || current.estado === 'autorizado')
  const isCorrection = decided.includes(current.estado) &&
    decisionFields.some(field => given[field] !== undefined && given[field] !== current[field])
  return isDecision || (isCorrection && estado !== 'borrador') ? 'decide' : 'edit'
}
