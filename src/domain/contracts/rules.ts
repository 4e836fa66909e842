import type { Problem } from '../../http/errors.ts'
import type { Values } from '../../resources/declaration/resource.ts'
import { transitionProblem, type Transitions } from '../transitions.ts'

/** Allowed transitions of `estado`. `terminado` and `cancelado` are final. */
const transitions: Transitions = {
  vigente: ['suspendido', 'terminado', 'cancelado'],
  suspendido: ['vigente', 'terminado', 'cancelado'],
  terminado: [],
  cancelado: []
}

/** Checks the fields of a contract against each other. @param current the record before an update */
export function contractRules (next: Values, current?: Values): Problem[] {
  const problems: Problem[] = []
  const { fecha_inicio: start, fecha_fin: end, estado } = next as { fecha_inicio?: string | null, fecha_fin?: string | null, estado?: string }
  if (start != null && end != null && end < start) problems.push({ field: 'fecha_fin', key: 'endBeforeStart' })

  const from = current?.['estado'] as string | undefined
  const refused = from !== undefined && estado !== undefined && from !== estado ? transitionProblem(transitions, from, estado) : undefined
  return refused === undefined ? problems : [...problems, refused]
}
