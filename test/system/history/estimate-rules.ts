import { agreed, amountsOf, delivered, dueOf, isTooMuch, returnsMore } from './amounts.ts'
import { becomes, contractOf, isOfSeries, moves, nextNumber, type Rules } from './rule.ts'
import { authorized, isAgreed, isAuthorized, isLive, isSettled, isWaiting, lastAuthorization, ordered, ordersOf, where, type Fields, type State } from './state.ts'

/** The amounts and position of an estimate that is not authorized. */
export const unauthorized = { amortizacion: null, retencion: null, neto: null, order: null }

/** Whether the estimate of a record can change. */
const isDraft = (state: State, { estimate }: Fields) => state.estimates.get(estimate)?.['estado'] === 'borrador'

/** Whether a finiquito of the contract waits for its authorization. */
const hasWaitingFiniquito = (state: State, contract: number) => where(state, 'estimates', { contract, tipo: 'finiquito' }).some(isWaiting)

/** Whether another estimate of the contract waits for its authorization, or a change order for its signature. */
const hasPending = (state: State, { id, contract }: Fields) =>
  where(state, 'estimates', { contract }).some(other => other['id'] !== id && isWaiting(other)) || where(state, 'convenios', { contract, estado: 'autorizado' }).length > 0

/** The rules of estimates and of the records in them. */
export const estimateRules: Record<'estimates' | 'generadores' | 'pagos' | 'movimientos', Rules> = {
  estimates: {
    fresh: (state, body, more) => ({
      numero: nextNumber(state, 'estimates', body, more), tipo: 'ordinaria', monto: 0, anticipo: 0, cargos: 0, lineas: 0, pagado: 0, descripcion: '', estado: 'borrador', ...unauthorized
    }),
    wrong: (state, next, current) => {
      const { contract, tipo, estado, monto, anticipo, lineas } = next
      const { estado: ofContract, monto: amount } = contractOf(state, next)
      const hasSettled = isSettled(state, contract)
      const isUseless = tipo === 'finiquito' && hasSettled && isLive(next) && !isAuthorized(current ?? next) && (monto !== 0 || lineas > 0) && 'monto'
      if (current === undefined) {
        const isOver = ofContract === undefined || ofContract === 'cancelado' || (ofContract === 'terminado' && tipo !== 'finiquito')
        return [(isOver || hasWaitingFiniquito(state, contract)) && 'contract', isUseless]
      }
      const isMoved = estado !== current['estado']
      const isAuthorization = becomes('autorizada', next, current) && !isAuthorized(current)
      const isUndone = current['estado'] === 'autorizada' && estado === 'enviada'
      const isFiniquito = tipo === 'finiquito'
      return [
        (!moves('estimates', next, current) ||
          (isMoved && isLive(next) && ofContract === 'cancelado') ||
          (isMoved && !isFiniquito && hasSettled && (isWaiting(next) || isAuthorization)) ||
          (isUndone && (isFiniquito || current['order'] < lastAuthorization(state, contract) || current['pagado'] !== 0)) ||
          (isAuthorization && (ordersOf(state, current['id']).some(order => !isAgreed(order)) || returnsMore(state, current))) ||
          (isAuthorization && isFiniquito && hasPending(state, current))) && 'estado',
        ((monto !== current['monto'] && (lineas > 0 || tipo === 'anticipo')) ||
          (isAuthorization && authorized(state, contract) + monto > amount + ordered(state, contract, 'autorizado'))) && 'monto',
        isAuthorization && tipo === 'anticipo' && delivered(state, contract) + anticipo > agreed(state, contract) && 'anticipo',
        isMoved && (estado === 'enviada' || isAuthorized(next)) && !isAuthorized(current) && !isFiniquito && amountsOf(state, { ...next, ...unauthorized }).neto < 0 && 'deductivas',
        isUseless
      ]
    },
    conflicts: (_, { monto }, current) => current !== undefined && monto !== current['monto'] && current['estado'] !== 'borrador',
    kept: (state, record) => record['estado'] !== 'borrador' ||
      where(state, 'estimates', { contract: record['contract'] }).some(other => other['numero'] > record['numero'] && isOfSeries(other, record))
  },
  generadores: {
    fresh: () => ({ observaciones: '' }),
    wrong: (state, { estimate, concepto }, current) => {
      const measured = state.estimates.get(estimate)
      // The state of the estimate comes first.
      if (measured !== undefined && measured['estado'] !== 'borrador') return []
      const hasNoWork = measured?.['tipo'] === 'anticipo' || (measured?.['tipo'] === 'finiquito' && isSettled(state, measured['contract']))
      return [(measured === undefined || (current === undefined && hasNoWork)) && 'estimate', !state.conceptos.has(concepto) && 'concepto']
    },
    conflicts: (state, next) => !isDraft(state, next),
    kept: (state, record) => !isDraft(state, record)
  },
  pagos: {
    fresh: () => ({ referencia: '' }),
    wrong: (state, { estimate, importe }, current) => {
      const paid = state.estimates.get(estimate)
      if (current !== undefined) return []
      if (paid === undefined || paid['estado'] !== 'autorizada' || contractOf(state, paid)['estado'] === 'cancelado') return ['estimate']
      const due = dueOf(paid)
      return [(Math.sign(importe) !== Math.sign(due) || Math.abs(importe) > Math.abs(due)) && 'importe']
    },
    conflicts: () => false,
    kept: () => false
  },
  movimientos: {
    fresh: () => ({ sentido: 'cargo' }),
    wrong: (state, next, current) => {
      const { estimate, importe } = next
      if (!state.estimates.has(estimate)) return ['estimate']
      return [isDraft(state, next) && importe !== current?.['importe'] && isTooMuch(state, next) && 'importe']
    },
    conflicts: (state, next) => !isDraft(state, next),
    kept: (state, record) => !isDraft(state, record)
  }
}
