import { pick, type Random } from '../../support/trial/random.ts'
import type { Act, HistoryRequest, ResourceName } from './act.ts'
import { pathOf } from './checker.ts'
import type { Board } from './board.ts'
import { settlementsOf } from './settlements.ts'
import { worksOf } from './works.ts'

/** Sends a request to the nth server, by default to a random one. */
export type Send = (request: HistoryRequest, server?: number) => Promise<Act>

/** External ids for upserts. All actors compete for the contracts that have them. */
export const shared = Array.from({ length: 9 }, (_, index) => `E-${index + 1}`)

/** No further contracts are created beyond this number. */
const mostContracts = 14

/** Next states of an estimate that an actor tries, by state. The last one is refused. */
const nextStates: Record<string, string[]> = {
  borrador: ['enviada'],
  enviada: ['autorizada', 'autorizada', 'borrador', 'cancelada'],
  autorizada: ['pagada', 'enviada'],
  cancelada: ['borrador']
}

/** An upsert of contracts by their external ids. */
export function upsert (ids: string[], text: string, monto: () => string): HistoryRequest {
  const items = ids.map(id => ({ folio: `F${id}`, external_id: id, monto: monto(), iva_porcentaje: '0', descripcion: text }))
  return { method: 'POST', path: 'contracts/bulk/', body: { items, upsert: 'external_id' } }
}

/** An actor that reads and writes the same records as the others. @returns a function that runs the next step */
export function actor (board: Board, random: Random, send: Send): () => Promise<unknown> {
  const chance = (percent: number) => random() * 100 < percent
  const monto = (least: number, most: number) => `${least + Math.floor(random() * (most - least))}.00`
  const note = () => ({ descripcion: board.text() })
  const currency = () => chance(20) ? 'USD' : chance(10) ? 'EUR' : 'MXN'
  const isRoom = () => ids('contracts').length < mostContracts
  // Prefers a few contracts, so that actors meet more often and trees grow deeper.
  const ids = (resource: ResourceName) => [...board.records[resource].keys()]
  const contract = () => pick(ids('contracts').slice(0, chance(40) ? 4 : undefined), random)
  const estimate = () => pick(ids('estimates'), random)

  const get = async (path: string) => await send({ method: 'GET', path, ifNoneMatch: chance(60) ? board.tags.get(path) : undefined })

  /** Sends a change, sometimes with If-Match on the latest version seen or on one that it reads first. */
  async function change (path: string, body: object | undefined, guarded = chance(60)): Promise<unknown> {
    if (guarded && (chance(50) || !board.tags.has(path))) await get(path)
    return await send({ method: body === undefined ? 'DELETE' : 'PATCH', path, body, ifMatch: guarded ? board.tags.get(path) : undefined })
  }

  /** Sends several requests concurrently, to all servers in turn. */
  const atOnce = async (request: HistoryRequest[]) => {
    const first = board.turn++
    return await Promise.all(request.map(async (one, index) => await send(one, first + index)))
  }

  const made = (path: string, body: object): HistoryRequest => ({ method: 'POST', path, body })
  const newContract = () => made('contracts/', { folio: `N-${board.text()}`, ...note(), monto: monto(50, 300), iva_porcentaje: '0', moneda: currency(), parent: chance(50) ? contract() : null })
  const newEstimate = (to: number, amount = monto(20, 120)) => made('estimates/', { contract: to, monto: amount, ...note() })
  const move = (id: number, parent: number | null): HistoryRequest => ({ method: 'PATCH', path: `contracts/${id}/`, body: { parent, ...note() } })

  const poll = (path: string): HistoryRequest => ({ method: 'GET', path, ifNoneMatch: board.tags.get(path) })

  const reads: Array<[number, () => Promise<unknown>]> = [
    [6, async () => {
      const path = pick([`contracts/${contract()}/`, 'contracts/?page_size=200', 'estimates/'], random)
      await get(path)
      await atOnce([poll(path), chance(50) ? poll(path) : { method: 'GET', path }])
    }],
    [8, async () => await get(`contracts/${contract()}/`)],
    [4, async () => await get('contracts/?page_size=200')],
    [3, async () => await get(pick([`contracts/?parent=${contract()}`, `contracts/?external_id=${pick(shared, random)}`, 'estimates/?page_size=200&estado=enviada'], random))],
    [2, async () => await get(pick(['contracts/?page=2&page_size=5', 'estimates/?page=3&page_size=9', 'contracts/?page=last&page_size=4'], random))],
    [2, async () => await get(`contracts/?search=${board.recent(random)}`)],
    [3, async () => await get(`contracts/${contract()}/${pick(['tree', 'ancestors'], random)}/`)],
    [4, async () => await get(`estimates/?page_size=200&contract=${contract()}`)],
    [2, async () => {
      for (let path: string | undefined = pick(['contracts/?page_size=4', 'estimates/?page_size=9'], random); path !== undefined;) {
        const { answer }: Act = await get(path)
        const next: unknown = (answer ?? board.bodies.get(path))?.next
        path = typeof next === 'string' ? pathOf(next) : undefined
      }
    }]
  ]
  const estimateReads: typeof reads = [[4, async () => await get(`estimates/${estimate()}/`)]]

  const writes: typeof reads = [
    [6, async () => await change(`contracts/${contract()}/`, { ...note(), ...chance(40) && { monto: monto(20, 500) } })],
    [3, async () => {
      const path = `contracts/${contract()}/`
      await get(path)
      const body = board.bodies.get(path)
      if (body !== undefined) await send({ method: 'PUT', path, body: { ...body, ...note() }, ifMatch: chance(80) ? board.tags.get(path) : undefined })
    }],
    // Two changes with the same If-Match: at most one succeeds.
    [3, async () => {
      const path = `contracts/${contract()}/`
      const ifMatch = board.tags.get(path)
      if (ifMatch !== undefined) await atOnce([note(), note()].map(body => ({ method: 'PATCH', path, body, ifMatch })))
    }],
    // Two moves that together form a cycle: at most one succeeds.
    [3, async () => {
      const [one, other] = [contract(), contract()]
      await atOnce([move(one, other), move(other, one)])
    }],
    [2, async () => await send(move(contract(), chance(40) ? null : contract()))],
    [3, async () => await send(upsert([...new Set([...isRoom() ? [board.text()] : [], pick(shared, random), pick(shared, random)])], board.text(), () => monto(20, 300)))],
    [5, async () => {
      const request = { ...chance(30) && isRoom() ? newContract() : newEstimate(contract()), key: board.text() }
      await atOnce(chance(50) ? [request, request] : [request, request, request])
      if (chance(80)) await send(request)
    }],
    [3, async () => await atOnce(Array.from({ length: 1 + Math.floor(random() * 3) }, () => newEstimate(contract())))],
    [1, async () => await send(made('estimates/bulk/', { items: [contract(), contract(), contract()].map(to => newEstimate(to).body) }))],
    // Authorizations that only together exceed the contract's amount.
    [2, async () => {
      const to = contract()
      const three = await atOnce([1, 2, 3].map(() => newEstimate(to, monto(90, 180))))
      for (const estado of ['enviada', 'autorizada']) {
        await atOnce(three.filter(({ status }) => status === 201).map(({ answer }) => ({ method: 'PATCH', path: `estimates/${answer.id}/`, body: { estado, ...note() } })))
      }
    }],
    [2, async () => { if (isRoom()) await send(newContract()) }],
    [1, async () => await change(`contracts/${contract()}/`, { moneda: currency(), ...note() })],
    // Closes a contract while estimates are added.
    [2, async () => {
      const id = contract()
      const estado = pick(['suspendido', 'vigente', 'suspendido', 'terminado', 'cancelado'], random)
      await atOnce([{ method: 'PATCH', path: `contracts/${id}/`, body: { estado, ...note() } }, newEstimate(id)])
    }],
    [1, async () => await change(`contracts/${contract()}/`, undefined)],
    // Two requests that conflict in either order.
    [3, async () => {
      const unused = ids('contracts').filter(id => ![...board.records.estimates.values()].some(({ contract }) => contract === id))
      const id = unused.length === 0 ? contract() : pick(unused, random)
      await atOnce([chance(70) ? newEstimate(id) : move(contract(), id), { method: 'DELETE', path: `contracts/${id}/` }])
    }]
  ]
  const estimateWrites: typeof reads = [
    [8, async () => {
      const id = estimate()
      const next = nextStates[board.records.estimates.get(id)?.['estado']]
      await change(`estimates/${id}/`, next === undefined ? { monto: monto(20, 90), ...note() } : { estado: pick(next, random), ...note() })
    }],
    [2, async () => await change(`estimates/${estimate()}/`, { monto: monto(20, 90), ...note() })],
    [4, async () => await change(`estimates/${chance(60) ? Math.max(...ids('estimates')) : estimate()}/`, undefined)]
  ]

  const requests = { get, change, send, atOnce }
  const works = worksOf(board, random, requests)
  const settlements = settlementsOf(board, random, requests)

  return async () => {
    const isWrite = chance(board.writes)
    const kinds = isWrite ? [...writes, ...works.writes, ...settlements] : [...reads, ...works.reads]
    if (board.records.estimates.size > 0) kinds.push(...isWrite ? estimateWrites : estimateReads)
    let left = random() * kinds.reduce((sum, [weight]) => sum + weight, 0)
    return await kinds.find(([weight]) => (left -= weight) < 0)?.[1]()
  }
}
