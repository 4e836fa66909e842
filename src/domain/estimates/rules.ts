import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import type { BodyOf, RecordOf } from '../../resources/declaration/values.ts'
import { transitionProblem, type Transitions } from '../transitions.ts'
import type { fields } from './fields.ts'

type Body = BodyOf<typeof fields>
type Current = RecordOf<typeof fields>

/** Allowed transitions of `estado`. A new estimate is a `borrador`; `autorizada` → `enviada` undoes an authorization. */
const transitions: Transitions = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['pagada', 'enviada'],
  pagada: [],
  rechazada: ['borrador'],
  cancelada: []
}

/** The authorization of a finiquito settles the contract and stays. */
const ofFiniquito: Transitions = { ...transitions, autorizada: ['pagada'] }

/** States that require the operation `decide`. */
const decided = ['autorizada', 'pagada', 'rechazada']

/** Fields that can change only while an estimate is a `borrador`. */
const draftFields = ['monto', 'anticipo', 'deductivas', 'periodo_inicio', 'periodo_fin'] as const

/** Checks the fields of an estimate against each other. @param current the record before an update @param given fields of the request */
export function estimateRules (next: Body, current: Current | undefined, given: Body): Problem[] {
  const problems = [...periodProblems(next), ...advanceProblems({ ...next, tipo: current?.tipo ?? next.tipo })]
  // Only the sum of lines can be negative. A client can send it back.
  if (next.monto?.startsWith('-') === true && next.monto !== current?.monto) problems.push({ field: 'monto', key: 'minValue', values: { min_value: 0 } })
  const { estado, motivo_rechazo: reason } = next
  if (current === undefined) {
    if (estado !== undefined && estado !== 'borrador') problems.push({ field: 'estado', key: 'estadoInitial', values: { initial: 'borrador' } })
    return problems
  }
  const from = current.estado
  if (estado === undefined || estado === from) return problems
  const refused: Problem | undefined = from === 'pagada'
    ? { field: 'estado', key: 'estadoPaid', values: { from, to: estado } }
    : transitionProblem(current.tipo === 'finiquito' ? ofFiniquito : transitions, from, estado)
  if (refused !== undefined) problems.push(refused)
  // The reason of an earlier rejection does not count for this one.
  else if (estado === 'rechazada' && reason !== undefined && (given.motivo_rechazo ?? '') === '') problems.push({ field: 'motivo_rechazo', key: 'required' })
  return problems
}

/** Only an advance document has an advance, and it has no work. */
function advanceProblems ({ tipo, anticipo, monto }: Partial<Body>): Problem[] {
  if (tipo === undefined) return []
  if (tipo !== 'anticipo') return anticipo === undefined || anticipo === '0.00' ? [] : [{ field: 'anticipo', key: 'onlyAdvance' }]
  const problems: Problem[] = anticipo === '0.00' ? [{ field: 'anticipo', key: 'minValue', values: { min_value: 0.01 } }] : []
  return monto === undefined || monto === '0.00' ? problems : [...problems, { field: 'monto', key: 'noWork' }]
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

/**
 * Whether later writes of the contract's estimates depend on this one. An authorization uses a part of the contract's amount and advance,
 * and an undo gives it back. A finiquito refuses other new estimates while it waits, and all of them afterwards.
 */
export function decidesLater ({ estado, tipo }: Body, current: Current | undefined): boolean {
  if (current === undefined) return tipo === 'finiquito'
  return estado !== current.estado && (current.tipo === 'finiquito' || [estado, current.estado].includes('autorizada'))
}

/** The operation that a change of an estimate requires. */
export function estimateDemands ({ estado }: Body, current: Current | undefined): Operation {
  if (estado === undefined || estado === current?.estado) return 'edit'
  return decided.includes(estado) || current?.estado === 'autorizada' ? 'decide' : 'edit'
}
