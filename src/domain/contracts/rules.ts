import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import type { BodyOf, RecordOf } from '../../resources/declaration/values.ts'
import { transitionProblem, type Transitions } from '../transitions.ts'
import type { fields } from './fields.ts'

/** Allowed transitions of `estado`. `terminado` → `vigente` undoes a closing; `cancelado` is final. */
const transitions: Transitions = {
  vigente: ['suspendido', 'terminado', 'cancelado'],
  suspendido: ['vigente', 'terminado', 'cancelado'],
  terminado: ['vigente'],
  cancelado: []
}

type Fields = typeof fields

/** Checks the fields of a contract against each other. @param current the record before an update */
export function contractRules ({ fecha_inicio: start, fecha_fin: end, estado }: BodyOf<Fields>, current?: RecordOf<Fields>): Problem[] {
  const problems: Problem[] = []
  if (start != null && end != null && end < start) problems.push({ field: 'fecha_fin', key: 'endBeforeStart' })

  const from = current?.estado
  const refused = from !== undefined && estado !== undefined && from !== estado ? transitionProblem(transitions, from, estado) : undefined
  return refused === undefined ? problems : [...problems, refused]
}

/** The operation that a change of a contract requires. */
export function contractDemands ({ estado }: BodyOf<Fields>, current: RecordOf<Fields> | undefined): Operation {
  return estado === 'vigente' && current?.estado === 'terminado' ? 'decide' : 'edit'
}
