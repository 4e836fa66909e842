import type { ResourceName } from './act.ts'
import {
  authorized, isAgreed, isClosed, isLive, isSettled, lastAuthorization, ordered, ordersOf, pathFrom, rowsOf, sumOfRows, where, type Fields, type State
} from './state.ts'

/** Permitted next states, by state. Repeated on purpose: a model that imports them from the service finds no fault in them. */
type Transitions = Record<string, string[]>

const transitions: Record<'contracts' | 'estimates' | 'convenios', Transitions> = {
  contracts: {
    vigente: ['suspendido', 'terminado', 'cancelado'],
    suspendido: ['vigente', 'terminado', 'cancelado'],
    terminado: ['vigente'],
    cancelado: []
  },
  estimates: {
    borrador: ['enviada', 'cancelada'],
    enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
    autorizada: ['pagada', 'enviada'],
    pagada: [],
    rechazada: ['borrador'],
    cancelada: []
  },
  convenios: {
    borrador: ['enviado', 'cancelado'],
    enviado: ['autorizado', 'rechazado', 'borrador', 'cancelado'],
    autorizado: ['firmado', 'borrador', 'cancelado'],
    firmado: [],
    rechazado: ['borrador'],
    cancelado: []
  }
}

/** The rules of a resource (api.md, 5 and 6; works.md, 2 to 8). `current` is the record before a change. */
interface Rules {
  /** The default fields of a new record; `more` are the records created before it in the same request. */
  fresh: (state: State, body: Fields, more: Fields[]) => Fields
  /** The fields for which a write is refused with 400, or undefined for each that is valid. */
  wrong: (state: State, next: Fields, current?: Fields) => Array<string | undefined | false>
  /** Whether a state forbids the write, with 409. */
  conflicts: (state: State, next: Fields, current?: Fields) => boolean
  /** Whether the record cannot be deleted, with 409. */
  kept: (state: State, record: Fields) => boolean
  /** The fields for which a delete is refused with 400. */
  wrongToDelete?: (state: State, record: Fields) => string[]
}

const moves = (resource: keyof typeof transitions, { estado }: Fields, current?: Fields): boolean =>
  current === undefined || estado === current['estado'] || transitions[resource][current['estado']]?.includes(estado) === true

const contractOf = (state: State, { contract }: Fields): Fields => state.contracts.get(contract) ?? {}
const becomes = (estado: string, next: Fields, current?: Fields) => next['estado'] === estado && current !== undefined && current['estado'] !== estado

/** Whether rows of a catalogue can no longer change. */
const isFixed = (state: State, { contract, convenio }: Fields) =>
  convenio === null ? isClosed(state, contract) : state.convenios.get(convenio)?.['estado'] !== 'borrador'

/** Whether the sum of the original rows would become less than what is authorized. */
function fallsBelow (state: State, contract: number, sum: number): boolean {
  return sum < state.contracts.get(contract)?.['monto'] && sum < authorized(state, contract) - ordered(state, contract, 'autorizado')
}

const nextNumber = (state: State, resource: 'estimates' | 'convenios', contract: number, more: Fields[]) =>
  1 + where(state, resource, { contract }).length + more.filter(other => other['contract'] === contract).length

/** Whether authorized estimates need a change order that waits for its signature. */
function isUsed (state: State, { id, contract, monto }: Fields): boolean {
  const left = state.contracts.get(contract)?.['monto'] + ordered(state, contract, 'autorizado') - monto
  const hasRow = (estimate: Fields) => ordersOf(state, estimate['id']).some(order => order['id'] === id)
  return (monto > 0 && authorized(state, contract) > left) || where(state, 'estimates', { contract }).filter(isSettled).some(hasRow)
}

export const rules: Record<ResourceName, Rules> = {
  contracts: {
    fresh: () => ({ monto: 0, parent: null, descripcion: '', external_id: null, moneda: 'MXN', estado: 'vigente' }),
    wrong: (state, next, current) => {
      const { parent, monto, moneda } = next
      const isUnknown = parent !== null && !state.contracts.has(parent)
      if (current === undefined) return [isUnknown && 'parent']
      const { id } = current
      const estimates = where(state, 'estimates', { contract: id })
      const isSum = rowsOf(state, id, null).length > 0 || where(state, 'convenios', { contract: id, estado: 'firmado' }).length > 0
      return [
        (isUnknown || (parent !== null && pathFrom(state, parent).includes(id))) && 'parent',
        ((isSum && monto !== current['monto']) || monto < authorized(state, id) - ordered(state, id, 'autorizado')) && 'monto',
        moneda !== current['moneda'] && estimates.some(isLive) && 'moneda',
        (!moves('contracts', next, current) || (becomes('cancelado', next, current) && estimates.some(isSettled))) && 'estado'
      ]
    },
    conflicts: () => false,
    kept: (state, { id }) => where(state, 'contracts', { parent: id }).length > 0 ||
      (['estimates', 'conceptos', 'convenios'] as const).some(resource => where(state, resource, { contract: id }).length > 0)
  },
  estimates: {
    fresh: (state, { contract }, more) =>
      ({ numero: nextNumber(state, 'estimates', contract, more), monto: 0, lineas: 0, pagado: 0, descripcion: '', estado: 'borrador', order: null }),
    wrong: (state, next, current) => {
      const { contract, estado, monto } = next
      const { estado: ofContract, monto: amount } = contractOf(state, next)
      if (current === undefined) return [(ofContract === undefined || ['terminado', 'cancelado'].includes(ofContract)) && 'contract']
      const isAuthorized = becomes('autorizada', next, current) && !isSettled(current)
      const isUndone = current['estado'] === 'autorizada' && estado === 'enviada'
      return [
        (!moves('estimates', next, current) ||
          (estado !== current['estado'] && isLive(next) && ofContract === 'cancelado') ||
          (isUndone && (current['order'] < lastAuthorization(state, contract) || current['pagado'] !== 0)) ||
          (isAuthorized && ordersOf(state, current['id']).some(order => !isAgreed(order)))) && 'estado',
        ((monto !== current['monto'] && current['lineas'] > 0) ||
          (isAuthorized && authorized(state, contract) + monto > amount + ordered(state, contract, 'autorizado'))) && 'monto'
      ]
    },
    conflicts: (_, { monto }, current) => current !== undefined && monto !== current['monto'] && current['estado'] !== 'borrador',
    kept: (state, { contract, numero, estado }) =>
      estado !== 'borrador' || where(state, 'estimates', { contract }).some(other => other['numero'] > numero)
  },
  convenios: {
    fresh: (state, { contract }, more) => ({ numero: nextNumber(state, 'convenios', contract, more), monto: 0, descripcion: '', estado: 'borrador' }),
    wrong: (state, next, current) => {
      const { estado, monto } = next
      const { estado: ofContract } = contractOf(state, next)
      if (current === undefined) return [(ofContract === undefined || ofContract === 'cancelado') && 'contract']
      const isMoved = estado !== current['estado']
      return [
        (!moves('convenios', next, current) ||
          (isMoved && ['borrador', 'enviado', 'autorizado', 'firmado'].includes(estado) && ofContract === 'cancelado') ||
          (isMoved && current['estado'] === 'autorizado' && estado !== 'firmado' && isUsed(state, current))) && 'estado',
        monto !== current['monto'] && rowsOf(state, current['contract'], current['id']).length > 0 && 'monto'
      ]
    },
    conflicts: (_, { monto }, current) => current !== undefined && monto !== current['monto'] && current['estado'] !== 'borrador',
    kept: (state, { id, contract, numero, estado }) => estado !== 'borrador' || rowsOf(state, contract, id).length > 0 ||
      where(state, 'convenios', { contract }).some(other => other['numero'] > numero)
  },
  conceptos: {
    fresh: () => ({ convenio: null, descripcion: '' }),
    wrong: (state, next, current) => {
      const { contract, convenio, cantidad, precio_unitario: price } = next
      if (!state.contracts.has(contract)) return ['contract']
      if (convenio !== null && !state.convenios.has(convenio)) return ['convenio']
      if (convenio !== null || isFixed(state, next)) return []
      const others = rowsOf(state, contract, null).filter(({ id }) => id !== current?.['id'])
      return [fallsBelow(state, contract, sumOfRows(others) + cantidad * price) && 'cantidad']
    },
    conflicts: (state, next, current) =>
      isFixed(state, next) && ['cantidad', 'precio_unitario'].some(field => next[field] !== current?.[field]),
    kept: (state, record) => isFixed(state, record) || where(state, 'generadores', { concepto: record['id'] }).length > 0,
    wrongToDelete: (state, { id, contract, convenio }) => {
      const others = rowsOf(state, contract, null).filter(other => other['id'] !== id)
      return convenio === null && fallsBelow(state, contract, sumOfRows(others)) ? ['cantidad'] : []
    }
  },
  generadores: {
    fresh: () => ({ observaciones: '' }),
    wrong: ({ estimates, conceptos }, { estimate, concepto }) => [!estimates.has(estimate) && 'estimate', !conceptos.has(concepto) && 'concepto'],
    conflicts: (state, { estimate }) => state.estimates.get(estimate)?.['estado'] !== 'borrador',
    kept: (state, { estimate }) => state.estimates.get(estimate)?.['estado'] !== 'borrador'
  },
  pagos: {
    fresh: () => ({ referencia: '' }),
    wrong: (state, { estimate, importe }, current) => {
      const paid = state.estimates.get(estimate)
      if (current !== undefined) return []
      if (paid === undefined || paid['estado'] !== 'autorizada' || contractOf(state, paid)['estado'] === 'cancelado') return ['estimate']
      return [(importe <= 0 || importe > paid['monto'] - paid['pagado']) && 'importe']
    },
    conflicts: () => false,
    kept: () => false
  }
}
