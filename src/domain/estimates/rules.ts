import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { BodyOf, RecordOf } from '../../resources/declaration/values.ts'
import { transitionProblem, type Transitions } from '../transitions.ts'
import type { fields } from './fields.ts'

type Body = BodyOf<typeof fields>
type Current = RecordOf<typeof fields>

/** Allowed transitions of `estado`. A new estimate is a `borrador`. */
const transitions: Transitions = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['pagada'],
  pagada: [],
  rechazada: ['borrador'],
  cancelada: []
}

/** States that require the operation `decide`. */
const decided = ['autorizada', 'pagada', 'rechazada']

/** Fields that can change only while an estimate is a `borrador`. */
const draftFields = ['monto', 'deductivas', 'periodo_inicio', 'periodo_fin'] as const

/** Checks the fields of an estimate against each other. @param current the record before an update @param given fields of the request */
export function estimateRules (next: Body, current: Current | undefined, given: Body): Problem[] {
  const problems = periodProblems(next)
  const { estado, motivo_rechazo: reason } = next
  if (current === undefined) {
    if (estado !== undefined && estado !== 'borrador') problems.push({ field: 'estado', key: 'estadoInitial', values: { initial: 'borrador' } })
    return problems
  }
  const from = current.estado
  if (estado === undefined || estado === from) return problems
  const refused = transitionProblem(transitions, from, estado)
  if (refused !== undefined) problems.push(refused)
  // The reason of an earlier rejection does not count for this one.
  else if (estado === 'rechazada' && reason !== undefined && (given.motivo_rechazo ?? '') === '') problems.push({ field: 'motivo_rechazo', key: 'required' })
  return problems
}

function periodProblems ({ periodo_inicio: start, periodo_fin: end }: Body): Problem[] {
  if (start === undefined || end === undefined) return []
  if (start === null && end !== null) return [{ field: 'periodo_inicio', key: 'periodIncomplete' }]
  if (start !== null && end === null) return [{ field: 'periodo_fin', key: 'periodIncomplete' }]
  return start !== null && end !== null && end < start ? [{ field: 'periodo_fin', key: 'periodBackwards' }] : []
}

/** @returns the message if the change is not possible in the current state */
export function estimateConflict (next: Body, current: Current): ProblemKey | undefined {
  const changed = draftFields.some(field => next[field] !== current[field])
  return changed && current.estado !== 'borrador' ? 'estimateNotDraft' : undefined
}

/** The operation that a change of an estimate requires. */
export function estimateDemands ({ estado }: Body, current: Current | undefined): Operation {
  return estado !== undefined && decided.includes(estado) && estado !== current?.estado ? 'decide' : 'edit'
}
