import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import type { States } from '../../resources/declaration/states.ts'
import type { BodyOf, RecordOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'

type Body = BodyOf<typeof fields>
type Current = RecordOf<typeof fields>

/**
 * The states of an estimate. `autorizada` → `enviada` undoes an authorization; that of a finiquito settles the contract and stays. Only the
 * deletion of a payment leaves `pagada`.
 */
export const estimateStates: States = {
  initial: 'borrador',
  to: {
    borrador: ['enviada', 'cancelada'],
    enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
    autorizada: ['pagada', 'enviada'],
    pagada: [],
    rechazada: ['borrador'],
    cancelada: []
  },
  other: { field: 'tipo', is: 'finiquito', to: { autorizada: ['pagada'] } },
  final: { pagada: 'estadoPaid' }
}

/** States that require the operation `decide`. */
const decided = ['autorizada', 'pagada', 'rechazada']

/** Amounts and period change only while an estimate is a `borrador`. */
export const estimateChanges = {
  is: 'borrador', fields: ['monto', 'anticipo', 'deductivas', 'periodo_inicio', 'periodo_fin'], otherwise: 'estimateNotDraft'
} as const

/** Checks the fields of an estimate against each other. @param current the record before an update @param given fields of the request */
export function estimateRules (next: Body, current: Current | undefined, given: Body): Problem[] {
  const problems = [...periodProblems(next), ...advanceProblems({ ...next, tipo: current?.tipo ?? next.tipo })]
  // Only the sum of lines can be negative. A client can send it back.
  if (next.monto?.startsWith('-') === true && next.monto !== current?.monto) {
    problems.push({ field: 'monto', key: 'minValue', values: { min_value: 0 } })
  }
  // The reason of an earlier rejection does not count for this one.
  const isRejection = next.estado === 'rechazada' && current?.estado === 'enviada' && next.motivo_rechazo !== undefined
  if (isRejection && (given.motivo_rechazo ?? '') === '') problems.push({ field: 'motivo_rechazo', key: 'required' })
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
