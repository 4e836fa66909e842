import type { ResourceName } from './act.ts'
import { chargesOf, dueOf, total } from './amounts.ts'
import { draftOf, isAuthorized, linesOf, rowsOf, sumOfLines, sumOfRows, where, type Draft, type Fields, type State, type Write } from './state.ts'

/** What triggers write after the writes of one statement: records by `resource/id`, or `pagos/new/` and the id of the estimate. Undefined is a delete. */
export type Effects = Map<string, { resource: ResourceName, id?: number, fields?: Fields }>

/**
 * The changes of other records that follow from writes (works.md, 1 to 9).
 * @param before the state before the writes
 * @param writes with the ids of new records
 */
export function effectsOf (before: State, writes: Array<Write & { id: number }>): Effects {
  const after = draftOf(before)
  const effects: Effects = new Map()
  const change = (resource: ResourceName, id: number, fields: Fields) => {
    const record = after[resource].get(id)
    if (record === undefined) return
    after[resource].set(id, { ...record, ...fields })
    effects.set(`${resource}/${id}`, { resource, id, fields: { ...effects.get(`${resource}/${id}`)?.fields, ...fields } })
  }
  for (const { resource, id, fields } of writes) {
    if (fields === undefined) after[resource].delete(id)
    else after[resource].set(id, { ...fields, id })
  }
  for (const { resource, id, fields } of writes) {
    const was = before[resource].get(id)
    follow[resource]({ before, after, effects, change }, id, fields, was)
  }
  return effects
}

/** Applies writes and what follows from them, except new records. */
export function applied (state: State, writes: Array<Write & { id: number, version: number }>): State {
  const after = draftOf(state)
  for (const { resource, id, fields, version } of writes) {
    if (fields === undefined) after[resource].delete(id)
    else after[resource].set(id, { ...fields, id, version })
  }
  for (const { resource, id, fields } of effectsOf(state, writes).values()) {
    if (id === undefined) continue
    if (fields === undefined) after[resource].delete(id)
    else after[resource].set(id, { ...after[resource].get(id), ...fields })
  }
  return after
}

interface Following {
  before: State
  after: Draft
  effects: Effects
  change: (resource: ResourceName, id: number, fields: Fields) => void
}

/** Changes the sum of a parent if its rows have another sum or number. */
function sumUp ({ before, after, change }: Following, { contract, convenio }: Fields): void {
  const [former, present] = [before, after].map(state => rowsOf(state, contract, convenio))
  if (former.length === present.length && sumOfRows(former) === sumOfRows(present)) return
  if (convenio === null) change('contracts', contract, { monto: sumOfRows(present) })
  else change('convenios', convenio, { monto: sumOfRows(present) })
}

/** What follows from a write of each resource. */
const follow: Record<ResourceName, (following: Following, id: number, fields: Fields | undefined, was: Fields | undefined) => void> = {
  contracts: () => {},
  estimates ({ before, effects, change }, id, fields, was) {
    for (const resource of ['generadores', 'movimientos'] as const) {
      const gone = fields === undefined ? where(before, resource, { estimate: id }) : []
      for (const { id } of gone) effects.set(`${resource}/${id}`, { resource, id })
    }
    if (fields === undefined || was === undefined) return
    const { contract, tipo } = was
    const isSettlement = tipo === 'finiquito' && isAuthorized(fields) && !isAuthorized(was)
    if (isSettlement && before.contracts.get(contract)?.['estado'] !== 'terminado') change('contracts', contract, { estado: 'terminado' })
    const left = fields['estado'] === 'pagada' && was['estado'] === 'autorizada' ? dueOf(was) : 0
    if (left === 0) return
    const payment = { estimate: id, contract, importe: left, referencia: '' }
    effects.set(`pagos/new/${id}`, { resource: 'pagos', fields: payment })
  },
  convenios ({ after, change }, _, fields, was) {
    if (fields?.['estado'] !== 'firmado' || was?.['estado'] === 'firmado') return
    const { contract, monto } = fields
    change('contracts', contract, { monto: after.contracts.get(contract)?.['monto'] + monto })
  },
  conceptos (following, id, fields, was) {
    sumUp(following, (fields ?? was) as Fields)
    if (fields === undefined || was === undefined || fields['precio_unitario'] === was['precio_unitario']) return
    const { after, change } = following
    for (const one of after.estimates.values()) {
      const { id: estimate, monto } = one
      if (!linesOf(after, estimate).has(id) || isAuthorized(one)) continue
      const sum = sumOfLines(after, estimate)
      if (sum !== monto) change('estimates', estimate, { monto: sum })
    }
  },
  generadores ({ after, change }, _, fields, was) {
    const { estimate } = (fields ?? was) as Fields
    change('estimates', estimate, { monto: sumOfLines(after, estimate), lineas: linesOf(after, estimate).size })
  },
  pagos ({ after, change }, _, fields, was) {
    if (fields !== undefined && was !== undefined) return
    const { estimate } = (fields ?? was) as Fields
    const pagado = total(where(after, 'pagos', { estimate }))
    change('estimates', estimate, { pagado, estado: pagado === after.estimates.get(estimate)?.['neto'] ? 'pagada' : 'autorizada' })
  },
  movimientos ({ after, change }, _, fields, was) {
    const { estimate } = (fields ?? was) as Fields
    change('estimates', estimate, { cargos: chargesOf(after, estimate) })
  },
  programa: () => {}
}
