import { resources, type ResourceName } from './act.ts'
import { amountsOf, dueOf } from './amounts.ts'
import { authorized, isAgreed, isLive, isAuthorized, ordered, pathFrom, where, type Fields, type State } from './state.ts'

const money = (pesos: number) => pesos.toFixed(2)
const quantity = (units: number) => units.toFixed(4)
const sum = (records: Fields[]) => money(records.reduce((sum, { monto }) => sum + monto, 0))

/** The sum of the records in one currency, and the sums in the others by currency. */
function apart (records: Fields[], currency: string): { own: string, others: Fields } {
  const others = [...Map.groupBy(records.filter(({ moneda }) => moneda !== currency), ({ moneda }) => moneda as string)]
  return { own: sum(records.filter(({ moneda }) => moneda === currency)), others: Object.fromEntries(others.map(([other, all]) => [other, sum(all)])) }
}
const byId = (a: Fields, b: Fields) => a['id'] - b['id']
const childrenOf = ({ contracts }: State, id: number) => [...contracts.values()].filter(({ parent }) => parent === id).sort(byId)

type Show = (state: State, company: number, record: Fields) => Fields

/** The fields of a record in a list. */
const item: Record<ResourceName, Show> = {
  contracts: (_, company, { id, folio, monto, parent, moneda, estado, external_id: external, anticipo_porcentaje: advance, retencion_porcentaje: retention, version }) =>
    ({ id, company, folio, monto: money(monto), parent, moneda, estado, external_id: external, anticipo_porcentaje: money(advance), retencion_porcentaje: money(retention), version }),
  estimates (state, company, estimate) {
    const { id, contract, tipo, numero, monto, anticipo, cargos, lineas, pagado, descripcion, estado, version } = estimate
    // Advance documents have no work, and numbers of their own.
    const live = tipo === 'anticipo' ? [] : where(state, 'estimates', { contract }).filter(one => one['numero'] <= numero && isLive(one))
    const { folio } = state.contracts.get(contract) as Fields
    const { amortizacion, retencion, neto } = amountsOf(state, estimate)
    const given = { monto: money(monto), anticipo: money(anticipo), lineas, monto_acumulado: sum(live) }
    const derived = { amortizacion: money(amortizacion), retencion: money(retencion), cargos_antes_iva: money(cargos), subtotal: money(neto), neto: money(neto) }
    return { id, company, contract, contract_folio: folio, tipo, numero, descripcion, estado, ...given, ...derived, pagado: money(pagado), por_pagar: money(dueOf(estimate)), version }
  },
  conceptos (state, company, { id, contract, convenio, clave, cantidad, precio_unitario: price, descripcion, version }) {
    const counts = (row: Fields) => row['convenio'] === null || isAgreed(state.convenios.get(row['convenio']) as Fields)
    const units = (records: Fields[]) => quantity(records.reduce((sum, { cantidad }) => sum + cantidad, 0))
    const estimated = where(state, 'generadores', { concepto: id }).filter(({ estimate }) => isAuthorized(state.estimates.get(estimate) ?? {}))
    const quantities = { cantidad: quantity(cantidad), cantidad_vigente: units(where(state, 'conceptos', { contract, clave }).filter(counts)), cantidad_estimada: units(estimated) }
    return { id, company, contract, convenio, clave, ...quantities, precio_unitario: money(price), importe: money(cantidad * price), descripcion, version }
  },
  convenios: (_, company, { id, contract, numero, monto, descripcion, estado, version }) => ({ id, company, contract, numero, monto: money(monto), descripcion, estado, version }),
  generadores: (_, company, { id, estimate, concepto, contract, cantidad, observaciones, version }) =>
    ({ id, company, estimate, concepto, contract, cantidad: quantity(cantidad), observaciones, version }),
  pagos: (_, company, { id, estimate, contract, importe, referencia, version }) => ({ id, company, estimate, contract, importe: money(importe), referencia, version }),
  movimientos: (_, company, { id, estimate, contract, tipo, sentido, motivo, importe, version }) =>
    ({ id, company, estimate, contract, tipo, sentido, motivo, antes_iva: true, importe: money(importe), version }),
  programa: (_, company, { id, contract, importe, version }) => ({ id, company, contract, convenio: null, importe: money(importe), version })
}

/** The fields of a single record. */
const whole: Record<ResourceName, Show> = {
  ...item,
  contracts (state, company, contract) {
    const { id, monto, moneda, descripcion } = contract
    const children = childrenOf(state, id)
    const used = authorized(state, id)
    const { own, others } = apart(children, moneda)
    return {
      ...item.contracts(state, company, contract),
      descripcion,
      hijos: children.length,
      monto_subcontratado: own,
      otras_monedas: others,
      monto_original: money(monto - ordered(state, id, 'firmado')),
      extra_autorizado: money(ordered(state, id, 'autorizado')),
      monto_estimado: money(used),
      por_estimar: money(monto - used)
    }
  }
}

/** The answer to a GET of a single record. */
export function shownRecord (state: State, company: number, resource: ResourceName, id: number): Fields | undefined {
  const record = state[resource].get(id)
  return record === undefined ? undefined : whole[resource](state, company, record)
}

const aPath = new RegExp(`^(${resources.join('|')})/(?:(\\d+)/)?(?:(tree|ancestors)/)?(?:\\?(.*))?$`)

/**
 * The answer that the API guarantees for a GET in this state of the company; undefined is 404. The `next` of a list is a boolean.
 * @param after id of the record that a cursor in the path represents
 */
export function shown (state: State, company: number, path: string, after = 0): unknown {
  const [, resource, id, view, query] = aPath.exec(path) as unknown as [string, ResourceName, string?, string?, string?]
  if (id === undefined) return page(state, company, resource, new URLSearchParams(query), after)
  if (view === undefined || !state.contracts.has(Number(id))) return shownRecord(state, company, resource, Number(id))
  if (view === 'tree') return tree(state, company, Number(id))
  return pathFrom(state, Number(id)).slice(1).reverse().map(above => item.contracts(state, company, state.contracts.get(above) as Fields))
}

function page (state: State, company: number, resource: ResourceName, query: URLSearchParams, after: number): Fields | undefined {
  const size = Number(query.get('page_size') ?? 20)
  const filters = ['parent', 'contract', 'estimate', 'estado', 'external_id'].filter(name => query.has(name))
  const word = query.get('search') ?? ''
  const all = [...state[resource].values()].filter(record => filters.every(name => String(record[name]) === query.get(name)) && `${record['folio']} ${record['descripcion']}`.includes(word)).sort(byId)
  const left = all.filter(({ id }) => id > after)
  // The first page of the records after the cursor.
  const wanted = after > 0 ? '1' : query.get('page') ?? '1'
  const number = wanted === 'last' ? Math.max(1, Math.ceil(all.length / size)) : Number(wanted)
  const results = left.slice((number - 1) * size, number * size)
  if (results.length === 0 && number > 1) return undefined
  return { count: all.length, next: left.length > number * size, results: results.map(record => item[resource](state, company, record)) }
}

function tree (state: State, company: number, id: number): Fields {
  const contract = state.contracts.get(id) as Fields
  const { own, others } = apart(withAllBelow(state, contract), contract['moneda'])
  return {
    ...item.contracts(state, company, contract),
    monto_total: own,
    otras_monedas: others,
    children: childrenOf(state, id).map(child => tree(state, company, child['id']))
  }
}

function withAllBelow (state: State, contract: Fields): Fields[] {
  return [contract, ...childrenOf(state, contract['id']).flatMap(child => withAllBelow(state, child))]
}

/** Compares the expected fields with those found; other fields are ignored. @returns the first difference */
export function difference (wanted: unknown, found: unknown, place = ''): string | undefined {
  const within = (name: string | number) => place === '' ? String(name) : `${place}.${name}`
  if (Array.isArray(wanted) && Array.isArray(found)) {
    if (wanted.length !== found.length) return `${place || 'list'} has ${found.length} in place of ${wanted.length}`
    return firstOf(wanted.keys(), index => difference(wanted[index], found[index], within(index)))
  }
  if (typeof wanted === 'object' && wanted !== null && typeof found === 'object' && found !== null) {
    return firstOf(Object.keys(wanted), name => difference((wanted as Fields)[name], (found as Fields)[name], within(name)))
  }
  const brief = (value: unknown) => JSON.stringify(value)?.slice(0, 100)
  return wanted === found ? undefined : `${place} is ${brief(found)} in place of ${brief(wanted)}`
}

function firstOf<T, R> (list: Iterable<T>, look: (one: T) => R | undefined): R | undefined {
  for (const one of list) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}
