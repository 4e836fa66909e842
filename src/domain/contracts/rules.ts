import type { Operation } from '../../auth/access.ts'
import type { Problem } from '../../http/errors.ts'
import type { States } from '../../resources/declaration/states.ts'
import type { BodyOf, RecordOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'

/** The states of a contract. `terminado` → `vigente` undoes a closing; `cancelado` is final. */
export const contractStates: States = {
  to: {
    vigente: ['suspendido', 'terminado', 'cancelado'],
    suspendido: ['vigente', 'terminado', 'cancelado'],
    terminado: ['vigente'],
    cancelado: []
  }
}

type Fields = typeof fields

/** Checks the days of a contract against each other. */
export function contractRules ({ fecha_inicio: start, fecha_fin: end }: BodyOf<Fields>): Problem[] {
  return start != null && end != null && end < start ? [{ field: 'fecha_fin', key: 'endBeforeStart' }] : []
}

/** The operation that a change of a contract requires. */
export function contractDemands ({ estado }: BodyOf<Fields>, current: RecordOf<Fields> | undefined): Operation {
  return estado === 'vigente' && current?.estado === 'terminado' ? 'decide' : 'edit'
}
