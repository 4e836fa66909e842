import { pick, type Random } from '../../support/trial/random.ts'
import type { Act, HistoryRequest, ResourceName } from './act.ts'
import type { Board } from './board.ts'
import type { Fields } from './state.ts'

/** Requests of one actor. */
export interface Requests {
  get: (path: string) => Promise<unknown>
  /** Sends a change or, without a body, a delete, sometimes with If-Match. */
  change: (path: string, body: object | undefined, guarded?: boolean) => Promise<unknown>
  send: (request: HistoryRequest) => Promise<unknown>
  /** Sends requests concurrently, to all servers in turn. */
  atOnce: (requests: HistoryRequest[]) => Promise<Act[]>
}

/** Kinds of steps with their weights. */
export type Steps = Array<[weight: number, step: () => Promise<unknown>]>

/** The resources whose records belong to a contract, without estimates. Their lists can be filtered by a reference. */
const lists: Array<[resource: ResourceName, filter: string]> = [
  ['conceptos', 'contract'], ['convenios', 'contract'], ['generadores', 'estimate'], ['pagos', 'estimate'], ['movimientos', 'estimate'], ['programa', 'contract']
]

/** Contracts for which actors compete here. */
const mostOwn = 3

/** States that an actor tries for a change order, by its state. */
const states: Record<string, string[]> = {
  borrador: ['enviado', 'enviado', 'cancelado'],
  enviado: ['autorizado', 'autorizado', 'autorizado', 'borrador'],
  autorizado: ['firmado', 'firmado', 'borrador', 'cancelado']
}
/** The percentages of a contract with an advance and a guarantee fund. */
const withAdvance = { anticipo_porcentaje: '30', retencion_porcentaje: '10' }
const aPayment = { fecha: '2026-04-15' }
/** What a change of a change order to some state needs; others ignore it. */
const needed = { fecha_autorizacion: '2026-04-20', fecha_firma: '2026-05-04' }

/** Steps with catalogues, change orders, measurements and payments, in which actors compete for the same records. */
export function worksOf (board: Board, random: Random, { get, change, send, atOnce }: Requests): { reads: Steps, writes: Steps } {
  const chance = (percent: number) => random() * 100 < percent
  const number = (most: number) => String(1 + Math.floor(random() * most))
  const made = (path: string, body: object): HistoryRequest => ({ method: 'POST', path, body })
  /** A change of a record, or no request without one. */
  const patch = (resource: ResourceName, record: Fields | undefined, body: object): HistoryRequest[] =>
    record === undefined ? [] : [{ method: 'PATCH', path: `${resource}/${record['id']}/`, body }]

  const all = (resource: ResourceName) => [...board.records[resource].values()]
  const some = (records: Fields[]): Fields | undefined => records.length === 0 ? undefined : pick(records, random)
  const pathOf = (resource: ResourceName) => `${resource}/${some(all(resource))?.['id'] ?? ''}${all(resource).length === 0 ? '' : '/'}`
  /** Open contracts that no upsert changes, whose amounts would then be sums. */
  const own = () => all('contracts').filter(one => one['external_id'] === null && one['estado'] !== 'terminado').slice(0, mostOwn)
  const contract = () => ((chance(90) ? some(own()) : undefined) ?? pick(all('contracts'), random))['id']
  const estimate = (estado = 'borrador') => some(all('estimates').filter(one => one['estado'] === estado)) ?? some(all('estimates'))

  const newRow = (): HistoryRequest => {
    const order = chance(50) ? some(all('convenios').filter(({ estado }) => estado === 'borrador')) : undefined
    const place = { contract: order?.['contract'] ?? contract(), convenio: order?.['id'] ?? null }
    const price = { unidad: 'm', cantidad: number(20), precio_unitario: number(9) }
    return made('conceptos/', { ...place, ...price, clave: board.text(), descripcion: board.text() })
  }
  /** A measurement of a concept of the estimate's contract. Undefined if it has none. */
  const newLine = (of = estimate()): Fields | undefined => {
    const concepto = some(all('conceptos').filter(one => one['contract'] === of?.['contract']))
    return of === undefined || concepto === undefined ? undefined : { estimate: of['id'], concepto: concepto['id'], cantidad: number(5), observaciones: board.text() }
  }
  const measured = (): Fields | undefined => {
    const ids = new Set(all('conceptos').map(({ contract }) => contract))
    return some(all('estimates').filter(one => one['estado'] === 'borrador' && ids.has(one['contract'])))
  }
  const newContract = () => made('contracts/', { folio: `W-${board.text()}`, iva_porcentaje: '0', ...chance(70) && withAdvance, descripcion: board.text() })
  const newEstimate = () => made('estimates/', { contract: some(all('conceptos'))?.['contract'] ?? contract(), descripcion: board.text() })
  const newLines = (count: number, of = measured()): Fields[] => Array.from({ length: count }, () => newLine(of)).filter(line => line !== undefined)
  const newPayment = (of: Fields | undefined, importe = chance(60) ? of?.['por_pagar'] : number(40)): HistoryRequest[] =>
    of === undefined ? [] : [made('pagos/', { ...aPayment, estimate: of['id'], importe: importe === '0.00' ? '1' : importe, referencia: board.text() })]
  const newLinesOf = (of: Fields | undefined, count = 1): HistoryRequest[] => newLines(count, of).map(line => made('generadores/', line))
  const changed = (resource: ResourceName, body: () => object | undefined) => async () => {
    if (all(resource).length > 0) await change(pathOf(resource), body())
  }
  const lineChange = () => ({ cantidad: number(5), observaciones: board.text() })

  const reads: Steps = [
    [5, async () => {
      const [resource, filter] = pick(lists, random)
      await get(`${resource}/?page_size=200&${filter}=${filter === 'contract' ? contract() : estimate()?.['id'] ?? 1}`)
    }],
    [5, async () => await get(pathOf(pick(lists, random)[0]))],
    [2, async () => await get(`${pick(lists, random)[0]}/?page_size=7`)],
    [3, async () => await get(`estimates/?contract=${contract()}`)]
  ]
  const writes: Steps = [
    [7, async () => await send(own().length < mostOwn ? newContract() : newRow())],
    [2, async () => await atOnce([newRow(), newRow()])],
    [4, changed('conceptos', () => ({ descripcion: board.text(), ...chance(70) && { cantidad: number(20), precio_unitario: number(9) } }))],
    [1, changed('conceptos', () => undefined)],
    [4, async () => await send(made('convenios/', { contract: contract(), monto: `${number(60)}.00`, descripcion: board.text() }))],
    [7, async () => {
      const order = some(all('convenios').filter(({ estado }) => estado in states))
      if (order === undefined) return
      await change(`convenios/${order['id']}/`, { estado: pick(states[order['estado']], random), ...needed, descripcion: board.text() })
    }],
    [1, changed('convenios', () => ({ monto: `${number(60)}.00`, descripcion: board.text() }))],
    [1, changed('convenios', () => undefined)],
    [2, async () => await send(newEstimate())],
    // Two phones add lines to one estimate.
    [6, async () => await atOnce(measured() === undefined ? [newEstimate()] : newLinesOf(measured(), 2))],
    [2, async () => {
      const items = newLines(4)
      if (items.length > 0) await send(made('generadores/bulk/', { items }))
    }],
    [3, changed('generadores', lineChange)],
    [2, changed('generadores', () => undefined)],
    // A line is added or changed while the estimate is sent, and while it is authorized or returns to a draft.
    [5, async () => {
      const one = measured()
      const line = some(all('generadores').filter(line => line['estimate'] === one?.['id']))
      const becomes = (estado: string) => patch('estimates', one, { estado, descripcion: board.text() })
      await atOnce([...becomes('enviada'), ...newLinesOf(one), ...patch('generadores', line, lineChange())])
      await atOnce([...becomes('autorizada'), ...chance(50) ? becomes('borrador') : [], ...newLinesOf(one)])
    }],
    // A change order is signed or cancelled while an estimate is authorized.
    [4, async () => {
      const order = some(all('convenios').filter(({ estado }) => estado === 'autorizado'))
      const claim = some(all('estimates').filter(one => one['contract'] === order?.['contract'] && one['estado'] === 'enviada')) ?? estimate('enviada')
      await atOnce([
        ...patch('convenios', order, { estado: pick(['firmado', 'firmado', 'cancelado'], random), ...needed, descripcion: board.text() }),
        ...patch('estimates', claim, { estado: 'autorizada', descripcion: board.text() })
      ])
    }],
    // A price changes while an estimate with it is authorized.
    [1, async () => await atOnce([
      ...patch('conceptos', some(all('conceptos')), { precio_unitario: number(9), descripcion: board.text() }),
      ...patch('estimates', estimate('enviada'), { estado: 'autorizada', descripcion: board.text() })
    ])],
    [3, async () => await atOnce(newPayment(estimate('autorizada')))],
    // Several payments of the rest, or one and a change to pagada or an undo.
    [4, async () => {
      const one = estimate('autorizada')
      const rest = one?.['por_pagar']
      const other = patch('estimates', one, { estado: pick(['pagada', 'enviada'], random), descripcion: board.text() })
      await atOnce([...newPayment(one, rest), ...chance(50) ? newPayment(one, rest) : other])
    }],
    [1, changed('pagos', () => ({ referencia: board.text() }))],
    [2, changed('pagos', () => undefined)]
  ]
  return { reads, writes }
}
