import { pick, type Random } from '../../support/trial/random.ts'
import type { HistoryRequest, ResourceName } from './act.ts'
import type { Board } from './board.ts'
import type { Fields } from './state.ts'
import type { Requests, Steps } from './works.ts'

const aPeriod = { periodo_inicio: '2026-09-01', periodo_fin: '2026-09-30' }

/** Steps with movements, advances, programmes and settlements, in which actors compete for what can be returned, delivered or still written. */
export function settlementsOf (board: Board, random: Random, { change, send, atOnce }: Requests): Steps {
  const chance = (percent: number) => random() * 100 < percent
  const number = (most: number) => String(1 + Math.floor(random() * most))
  const made = (path: string, body: object): HistoryRequest => ({ method: 'POST', path, body })
  const all = (resource: ResourceName) => [...board.records[resource].values()]
  const some = (records: Fields[]): Fields | undefined => records.length === 0 ? undefined : pick(records, random)
  const waiting = (of?: Fields) => all('estimates').filter(one => ['borrador', 'enviada'].includes(one['estado']) && (of === undefined || one['contract'] === of['id']))
  /** Drafts, mostly of contracts with a guarantee fund, which can be returned. */
  const draft = () => {
    const drafts = waiting().filter(({ estado }) => estado === 'borrador')
    return (chance(70) ? some(drafts.filter(one => board.records.contracts.get(one['contract'])?.['retencion_porcentaje'] === '10.00')) : undefined) ?? some(drafts)
  }
  /** A contract with an advance, mostly an open one. */
  const advanced = () => {
    const found = all('contracts').filter(one => one['anticipo_porcentaje'] === '30.00' && Number(one['monto']) > 0)
    return some(found.filter(({ estado }) => chance(10) || estado !== 'terminado'))
  }

  const newMovement = (of: Fields | undefined, sentido = chance(70) ? 'cargo' : 'abono'): HistoryRequest[] => {
    const tipo = pick(['pena', 'fondo_garantia'], random)
    return of === undefined ? [] : [made('movimientos/', { estimate: of['id'], tipo, sentido, antes_iva: true, importe: number(9), motivo: board.text() })]
  }
  const newPeriod = ({ id }: Fields) => made('programa/', { ...aPeriod, contract: id, importe: numbered() })
  const newEstimate = ({ id }: Fields, body: object = {}) => made('estimates/', { contract: id, descripcion: board.text(), ...body })
  /** A unique amount, which identifies the act that wrote it. */
  const numbered = () => board.text().slice(1)
  const moved = (records: Fields[], estado: string): HistoryRequest[] =>
    records.map(({ id }) => ({ method: 'PATCH', path: `estimates/${id}/`, body: { estado, descripcion: board.text() } }))
  const changed = (resource: ResourceName, body: () => object | undefined) => async () => {
    const one = some(all(resource))
    if (one !== undefined) await change(`${resource}/${one['id']}/`, body())
  }

  return [
    [5, async () => await atOnce(newMovement(draft()))],
    // Returns that only together are more than what is left.
    [2, async () => {
      const one = draft()
      await atOnce([...newMovement(one, 'abono'), ...newMovement(one, 'abono')])
    }],
    // A movement is added or changed while its estimate is sent, and authorized.
    [4, async () => {
      const one = draft()
      if (one === undefined) return
      const its = some(all('movimientos').filter(({ estimate }) => estimate === one['id']))
      const edit: HistoryRequest[] = its === undefined ? [] : [{ method: 'PATCH', path: `movimientos/${its['id']}/`, body: { importe: number(9), motivo: board.text() } }]
      await atOnce([...newMovement(one), ...moved([one], 'enviada'), ...edit])
      await atOnce([...moved([one], 'autorizada'), ...newMovement(one)])
    }],
    // Estimates whose returns only together are more than what is left.
    [2, async () => {
      const { contract } = draft() ?? {}
      const drafts = waiting().filter(one => one['contract'] === contract).slice(-2)
      await atOnce(drafts.flatMap(one => newMovement(one, 'abono')))
      for (const estado of ['enviada', 'autorizada']) await atOnce(moved(drafts, estado))
    }],
    [2, changed('movimientos', () => ({ motivo: board.text(), ...chance(70) && { importe: number(9) } }))],
    [1, changed('movimientos', () => undefined)],
    // Advance documents that only together are more than the agreed advance.
    [3, async () => {
      const one = advanced()
      if (one === undefined) return
      const anticipo = String(Math.max(1, Math.floor(Number(one['monto']) * 0.2)))
      const two = await atOnce([1, 2].map(() => newEstimate(one, { tipo: 'anticipo', anticipo })))
      const documents = two.filter(({ status }) => status === 201).map(({ answer }) => answer)
      for (const estado of ['enviada', 'autorizada']) await atOnce(moved(documents, estado))
    }],
    [3, async () => { await send(newPeriod(pick(all('contracts'), random))) }],
    [1, changed('programa', () => ({ importe: numbered() }))],
    [1, changed('programa', () => undefined)],
    // A settlement: others wait, compete with it, or come after it.
    [3, async () => {
      const one = advanced()
      if (one === undefined) return
      await atOnce([...chance(70) ? [newEstimate(one)] : [], newEstimate(one, { tipo: 'finiquito', monto: number(9) })])
      const settlement = waiting(one).filter(({ tipo }) => tipo === 'finiquito')
      if (chance(60)) {
        await atOnce(moved(waiting(one).filter(({ tipo }) => tipo !== 'finiquito'), 'cancelada'))
        const orders = all('convenios').filter(({ contract, estado }) => contract === one['id'] && estado === 'autorizado')
        await atOnce(orders.map(({ id }) => ({ method: 'PATCH', path: `convenios/${id}/`, body: { estado: 'firmado', fecha_firma: '2026-05-04', descripcion: board.text() } })))
      }
      await atOnce([...moved(settlement, 'enviada'), ...newMovement(settlement[0], 'abono')])
      await atOnce([
        ...moved(settlement, 'autorizada'), newEstimate(one), newPeriod(one),
        made('convenios/', { contract: one['id'], monto: '5', descripcion: board.text() }),
        made('conceptos/', { contract: one['id'], clave: board.text(), unidad: 'm', cantidad: '1', precio_unitario: '1', descripcion: board.text() })
      ])
    }],
    // A finiquito that is given up.
    [1, async () => { await atOnce(moved(waiting().filter(({ tipo }) => tipo === 'finiquito').slice(0, 2), 'cancelada')) }]
  ]
}
