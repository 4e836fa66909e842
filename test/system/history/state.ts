import { resources, type ResourceName } from './act.ts'

/** The fields of a record in the model; amounts and quantities are whole numbers. */
export type Fields = Record<string, any>

/** A company's records at one revision, by resource and id. */
export type State = Record<ResourceName, ReadonlyMap<number, Fields>>
/** A state that is being made. */
export type Draft = Record<ResourceName, Map<number, Fields>>

/** A state with the same records, to change. */
export function draftOf (state: State): Draft {
  return Object.fromEntries(resources.map(resource => [resource, new Map(state[resource])])) as Draft
}

/** A new company, without records. */
export const nothing: State = Object.fromEntries(resources.map(resource => [resource, new Map()])) as Draft

/** A write to one record: a create if `id` is undefined, a delete if `fields` is undefined. */
export interface Write {
  resource: ResourceName
  id?: number
  fields?: Fields
}

/** The records of a resource with these values. */
export function where (state: State, resource: ResourceName, values: Fields): Fields[] {
  const wanted = Object.entries(values)
  return [...state[resource].values()].filter(record => wanted.every(([name, value]) => record[name] === value))
}

export const sum = (records: Fields[], amount: (record: Fields) => number) => records.reduce((total, record) => total + amount(record), 0)

/** Whether an estimate is authorized, even if it is paid. */
export const isAuthorized = ({ estado }: Fields) => estado === 'autorizada' || estado === 'pagada'

/** Whether an estimate is neither rejected nor cancelled. */
export const isLive = ({ estado }: Fields) => estado !== 'rechazada' && estado !== 'cancelada'

/** Whether a change order is ordered or signed. */
export const isAgreed = ({ estado }: Fields) => estado === 'autorizado' || estado === 'firmado'

/** The authorized estimates of a contract. */
export const authorizedOf = (state: State, contract: number) => where(state, 'estimates', { contract }).filter(isAuthorized)

/** Whether an estimate waits for its authorization. */
export const isWaiting = ({ estado }: Fields) => estado === 'borrador' || estado === 'enviada'

/** Whether a finiquito has settled a contract. */
export const isSettled = (state: State, contract: number) => authorizedOf(state, contract).some(({ tipo }) => tipo === 'finiquito')

/** The authorized total of a contract. */
export function authorized (state: State, contract: number): number {
  return sum(authorizedOf(state, contract), ({ monto }) => monto)
}

/** Position of the last authorization of a contract. */
export function lastAuthorization (state: State, contract: number): number {
  return Math.max(0, ...authorizedOf(state, contract).map(({ order }) => order))
}

/** The amounts of the change orders of a contract in a state. */
export function ordered (state: State, contract: number, estado: string): number {
  return sum(where(state, 'convenios', { contract, estado }), ({ monto }) => monto)
}

/** The rows of the original catalogue of a contract, or of a change order. */
export function rowsOf (state: State, contract: number, convenio: number | null): Fields[] {
  return where(state, 'conceptos', { contract, convenio })
}

/** The sum of rows of a catalogue. */
export const sumOfRows = (rows: Fields[]) => sum(rows, ({ cantidad, precio_unitario: price }) => cantidad * price)

/** Whether the original catalogue of a contract can no longer change. */
export function isClosed (state: State, contract: number): boolean {
  return where(state, 'convenios', { contract }).some(isAgreed) || authorizedOf(state, contract).some(({ lineas }) => lineas > 0)
}

/** Quantities of an estimate by concept: its lines. */
export function linesOf (state: State, estimate: number): Map<number, number> {
  const lines = new Map<number, number>()
  for (const { concepto, cantidad } of where(state, 'generadores', { estimate })) {
    lines.set(concepto, (lines.get(concepto) ?? 0) + cantidad)
  }
  return lines
}

/** The sum of the lines of an estimate. */
export function sumOfLines (state: State, estimate: number): number {
  const priceOf = (concepto: number): number => state.conceptos.get(concepto)?.['precio_unitario']
  return [...linesOf(state, estimate)].reduce((total, [concepto, cantidad]) => total + cantidad * priceOf(concepto), 0)
}

/** The change orders whose rows an estimate has. */
export function ordersOf (state: State, estimate: number): Fields[] {
  const orderOf = (concepto: number): number => state.conceptos.get(concepto)?.['convenio']
  return [...linesOf(state, estimate).keys()].flatMap(concepto => state.convenios.get(orderOf(concepto)) ?? [])
}

/** A contract's id and those of its ancestors. */
export function pathFrom ({ contracts }: State, id: number): number[] {
  const path: number[] = []
  for (let next: number | null | undefined = id; next != null && !path.includes(next); next = contracts.get(next)?.['parent']) path.push(next)
  return path
}
