import type { ResourceName } from './act.ts'
import { estimateRules } from './estimate-rules.ts'
import { becomes, contractOf, moves, nextNumber, type Rules } from './rule.ts'
import { authorized, isAuthorized, isClosed, isLive, isSettled, ordered, ordersOf, pathFrom, rowsOf, sumOfRows, where, type Fields, type State } from './state.ts'

/** Whether the contract of a record is cancelled or settled. */
const isFinal = (state: State, record: Fields) => contractOf(state, record)['estado'] === 'cancelado' || isSettled(state, record['contract'])

/** Whether rows of a catalogue can no longer change. */
const isFixed = (state: State, { contract, convenio }: Fields) =>
  convenio === null ? isClosed(state, contract) : state.convenios.get(convenio)?.['estado'] !== 'borrador'

/** Whether the original rows cannot have a sum: it is another one of a settled contract, or less than what is authorized. */
function isWrongSum (state: State, contract: number, sum: number): boolean {
  if (isSettled(state, contract)) return sum !== state.contracts.get(contract)?.['monto']
  return sum < state.contracts.get(contract)?.['monto'] && sum < authorized(state, contract) - ordered(state, contract, 'autorizado')
}

/** Whether authorized estimates need a change order that waits for its signature. */
function isUsed (state: State, { id, contract, monto }: Fields): boolean {
  const left = state.contracts.get(contract)?.['monto'] + ordered(state, contract, 'autorizado') - monto
  const hasRow = (estimate: Fields) => ordersOf(state, estimate['id']).some(order => order['id'] === id)
  return (monto > 0 && authorized(state, contract) > left) || where(state, 'estimates', { contract }).filter(isAuthorized).some(hasRow)
}

/** The rules of all resources. */
export const rules: Record<ResourceName, Rules> = {
  ...estimateRules,
  contracts: {
    fresh: () => ({ monto: 0, anticipo_porcentaje: 0, retencion_porcentaje: 0, parent: null, descripcion: '', external_id: null, moneda: 'MXN', estado: 'vigente' }),
    wrong: (state, next, current) => {
      const { parent, monto, moneda } = next
      const isUnknown = parent !== null && !state.contracts.has(parent)
      if (current === undefined) return [isUnknown && 'parent']
      const { id } = current
      const estimates = where(state, 'estimates', { contract: id })
      const keeps = (field: string) => isSettled(state, id) && next[field] !== current[field]
      const isSum = rowsOf(state, id, null).length > 0 || where(state, 'convenios', { contract: id, estado: 'firmado' }).length > 0
      return [
        (isUnknown || (parent !== null && pathFrom(state, parent).includes(id))) && 'parent',
        ((isSum && monto !== current['monto']) || monto < authorized(state, id) - ordered(state, id, 'autorizado') || keeps('monto')) && 'monto',
        ...['anticipo_porcentaje', 'retencion_porcentaje'].map(field => keeps(field) && field),
        moneda !== current['moneda'] && estimates.some(isLive) && 'moneda',
        (!moves('contracts', next, current) || (becomes('cancelado', next, current) && estimates.some(isAuthorized)) || (next['estado'] !== 'terminado' && isSettled(state, id))) && 'estado'
      ]
    },
    conflicts: () => false,
    kept: (state, { id }) => where(state, 'contracts', { parent: id }).length > 0 ||
      (['estimates', 'conceptos', 'convenios', 'programa'] as const).some(resource => where(state, resource, { contract: id }).length > 0)
  },
  convenios: {
    fresh: (state, body, more) => ({ numero: nextNumber(state, 'convenios', body, more), monto: 0, descripcion: '', estado: 'borrador' }),
    wrong: (state, next, current) => {
      const { estado, monto } = next
      const { estado: ofContract } = contractOf(state, next)
      const isOver = ofContract === undefined || ofContract === 'cancelado' || isSettled(state, next['contract'])
      if (current === undefined) return [isOver && 'contract']
      const isMoved = estado !== current['estado']
      return [
        (!moves('convenios', next, current) ||
          (isMoved && ['borrador', 'enviado', 'autorizado', 'firmado'].includes(estado) && isOver) ||
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
      if (isFixed(state, next)) return []
      if (current === undefined && isSettled(state, contract)) return ['contract']
      if (convenio !== null) return []
      const others = rowsOf(state, contract, null).filter(({ id }) => id !== current?.['id'])
      return [isWrongSum(state, contract, sumOfRows(others) + cantidad * price) && 'cantidad']
    },
    conflicts: (state, next, current) =>
      isFixed(state, next) && ['cantidad', 'precio_unitario'].some(field => next[field] !== current?.[field]),
    kept: (state, record) => isFixed(state, record) || where(state, 'generadores', { concepto: record['id'] }).length > 0,
    wrongToDelete: (state, { id, contract, convenio }) => {
      const others = rowsOf(state, contract, null).filter(other => other['id'] !== id)
      return convenio === null && isWrongSum(state, contract, sumOfRows(others)) ? ['cantidad'] : []
    }
  },
  programa: {
    fresh: () => ({}),
    wrong: (state, next, current) => [(!state.contracts.has(next['contract']) || (current === undefined && isFinal(state, next))) && 'contract'],
    conflicts: (state, next, current) => current !== undefined && isFinal(state, next),
    kept: isFinal
  }
}
