import type { Operation } from '../access.ts'
import type { Problem } from '../errors.ts'
import type { MessageKey } from '../language/messages.ts'
import type { Values } from '../resources/resource.ts'

/** Where each state may go; a new estimate is a `borrador`. */
const transitions: Record<string, string[]> = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['pagada'],
  pagada: [],
  rechazada: ['borrador'],
  cancelada: []
}

/** States that only somebody who may delete can bring an estimate into: to authorize, to pay, to reject. */
const decided = ['autorizada', 'pagada', 'rechazada']

/** Fields that can change while an estimate is a `borrador`, and then no more. */
const draftFields = ['monto', 'deductivas', 'periodo_inicio', 'periodo_fin']

/** What is wrong between the fields of an estimate as it would be, coming from `current` by what was `given`. */
export function estimateRules (next: Values, current: Values | undefined, given: Values): Problem[] {
  const problems: Problem[] = []
  const { periodo_inicio: start = null, periodo_fin: end = null, estado } = next as { periodo_inicio?: string | null, periodo_fin?: string | null, estado: string }
  if (start === null && end !== null) problems.push({ field: 'periodo_inicio', key: 'periodIncomplete' })
  if (end === null && start !== null) problems.push({ field: 'periodo_fin', key: 'periodIncomplete' })
  if (start !== null && end !== null && end < start) problems.push({ field: 'periodo_fin', key: 'periodBackwards' })

  if (current === undefined) {
    if (estado !== 'borrador') problems.push({ field: 'estado', key: 'estadoInitial', values: { initial: 'borrador' } })
    return problems
  }
  if (next['contract'] !== current['contract']) problems.push({ field: 'contract', key: 'immutable' })
  const from = current['estado'] as string
  if (from === estado) return problems
  if (!transitions[from]?.includes(estado)) problems.push({ field: 'estado', key: 'estadoTransition', values: { from, to: estado } })
  // A reason that an earlier rejection left is none for this one.
  else if (estado === 'rechazada' && (given['motivo_rechazo'] ?? '') === '') problems.push({ field: 'motivo_rechazo', key: 'required' })
  return problems
}

/** Why a change that is right in itself cannot be made in the present state. */
export function estimateConflict (next: Values, current: Values): MessageKey | undefined {
  const changed = draftFields.some(field => next[field] !== current[field])
  return changed && current['estado'] !== 'borrador' ? 'estimateNotDraft' : undefined
}

/** What a change of an estimate is: to decide on it takes more than to edit it. */
export function estimateDemands (given: Values, current: Values | undefined): Operation {
  const { estado } = given as { estado?: string }
  return estado !== undefined && decided.includes(estado) && estado !== current?.['estado'] ? 'delete' : 'edit'
}
