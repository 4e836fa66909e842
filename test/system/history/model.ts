import { readTag, type HistoryRequest, type ResourceName } from './act.ts'

/** The fields of a record in the model; amounts are numbers of whole pesos. */
export type Fields = Record<string, any>

/** A company's records at one revision, by resource and id. */
export type State = Record<ResourceName, ReadonlyMap<number, Fields>>

/** A new company, without records. */
export const nothing: State = { contracts: new Map(), estimates: new Map() }

/** A write to one record: a create if `id` is undefined, a delete if `fields` is undefined. */
export interface Write {
  resource: ResourceName
  id?: number
  fields?: Fields
}

/** The answer that the API guarantees: a refusal with the invalid fields, or the writes. */
export type Due = { status: 400 | 404 | 409 | 412, fields: string[] } | { status: 200 | 201 | 204, writes: Write[] }

/** The authorized total of a contract. */
export function authorized ({ estimates }: State, contract: number): number {
  return [...estimates.values()].filter(one => one['contract'] === contract && isSettled(one)).reduce((sum, { monto }) => sum + monto, 0)
}

/** Whether an estimate counts against the contract's amount. */
export const isSettled = ({ estado }: Fields) => estado === 'autorizada' || estado === 'pagada'

/** The permitted next states of a contract (api.md, 5). */
const contractTransitions: Record<string, string[]> = {
  vigente: ['suspendido', 'terminado', 'cancelado'],
  suspendido: ['vigente', 'terminado', 'cancelado'],
  terminado: [],
  cancelado: []
}

/** Whether an estimate is neither rejected nor cancelled. */
const isLive = ({ estado }: Fields) => estado !== 'rechazada' && estado !== 'cancelada'

/** The permitted next states of an estimate (api.md, 6). Repeated on purpose: a model that imports them from the service finds no fault in them. */
const transitions: Record<string, string[]> = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['pagada'],
  pagada: [],
  rechazada: ['borrador'],
  cancelada: []
}

interface Rules {
  /** The default fields of a new record; `more` are the records created before it in the same request. */
  fresh: (state: State, body: Fields, more: Fields[]) => Fields
  /** The invalid fields of a record after the change. */
  wrong: (state: State, next: Fields, current?: Fields) => string[]
  /** Whether the record's state forbids the change. */
  conflicts: (next: Fields, current: Fields) => boolean
  /** Whether the record cannot be deleted. */
  kept: (state: State, record: Fields) => boolean
}

const rules: Record<ResourceName, Rules> = {
  contracts: {
    fresh: () => ({ monto: 0, parent: null, descripcion: '', external_id: null, moneda: 'MXN', estado: 'vigente' }),
    wrong: (state, { parent, monto, moneda, estado }, current) => [
      ...parent !== null && (!state.contracts.has(parent) || (current !== undefined && pathFrom(state, parent).includes(current['id']))) ? ['parent'] : [],
      ...current !== undefined && monto < authorized(state, current['id']) ? ['monto'] : [],
      ...current !== undefined && moneda !== current['moneda'] && [...state.estimates.values()].some(one => one['contract'] === current['id'] && isLive(one)) ? ['moneda'] : [],
      ...current !== undefined && estado !== current['estado'] && contractTransitions[current['estado']]?.includes(estado) !== true ? ['estado'] : []
    ],
    conflicts: () => false,
    kept: ({ contracts, estimates }, { id }) => [...contracts.values()].some(({ parent }) => parent === id) || [...estimates.values()].some(({ contract }) => contract === id)
  },
  estimates: {
    fresh: (state, { contract }, more) => ({
      numero: 1 + [...state.estimates.values(), ...more].filter(other => other['contract'] === contract).length, monto: 0, descripcion: '', estado: 'borrador'
    }),
    wrong: (state, { contract, estado, monto }, current) => [
      ...!state.contracts.has(contract) || (current === undefined && ['terminado', 'cancelado'].includes(state.contracts.get(contract)?.['estado'])) ? ['contract'] : [],
      ...current !== undefined && estado !== current['estado'] && (transitions[current['estado']]?.includes(estado) !== true || (isLive({ estado }) && state.contracts.get(contract)?.['estado'] === 'cancelado')) ? ['estado'] : [],
      ...current !== undefined && estado === 'autorizada' && !isSettled(current) && authorized(state, contract) + monto > state.contracts.get(contract)?.['monto'] ? ['monto'] : []
    ],
    conflicts: ({ monto }, current) => monto !== current['monto'] && current['estado'] !== 'borrador',
    kept: ({ estimates }, { contract, numero, estado }) => estado !== 'borrador' || [...estimates.values()].some(other => other['contract'] === contract && other['numero'] > numero)
  }
}

/** A contract's id and those of its ancestors. */
export function pathFrom ({ contracts }: State, id: number): number[] {
  const path: number[] = []
  for (let next: number | null | undefined = id; next != null && !path.includes(next); next = contracts.get(next)?.['parent']) path.push(next)
  return path
}

/** The answer that the API guarantees for a request in this state (api.md, 5, 6 and 8). */
export function due (state: State, { method, path, body, ifMatch }: HistoryRequest): Due {
  const [resource, part] = path.split('/') as [ResourceName, string]
  const { fresh, wrong, conflicts, kept } = rules[resource]
  const records = state[resource]
  if (method === 'POST') {
    const items: Fields[] = part === 'bulk' ? body.items : [body]
    const made: Fields[] = []
    const problems: string[] = []
    const writes = items.map((item, index): Write => {
      const current = body.upsert === undefined ? undefined : [...records.values()].find(({ external_id: known }) => known === item['external_id'])
      const fields = { ...current ?? fresh(state, item, made), ...given(item) }
      if (current === undefined) made.push(fields)
      problems.push(...wrong(state, fields, current).map(field => part === 'bulk' ? `items.${index}.${field}` : field))
      return { resource, id: current?.['id'], fields }
    })
    return problems.length > 0 ? { status: 400, fields: problems } : { status: 201, writes }
  }

  const current = records.get(Number(part))
  if (current === undefined) return { status: 404, fields: [] }
  const { id, version } = current
  if (ifMatch !== undefined && readTag(ifMatch).version !== version) return { status: 412, fields: [] }
  if (method === 'DELETE') return kept(state, current) ? { status: 409, fields: [] } : { status: 204, writes: [{ resource, id }] }
  const next = { ...current, ...given(body) }
  const problems = wrong(state, next, current)
  if (problems.length > 0) return { status: 400, fields: problems }
  return conflicts(next, current) ? { status: 409, fields: [] } : { status: 200, writes: [{ resource, id, fields: next }] }
}

const writable = ['folio', 'monto', 'parent', 'descripcion', 'external_id', 'contract', 'estado', 'moneda']

/** The fields of a body that the model covers and a client may set. */
function given (body: Fields): Fields {
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => writable.includes(name)))
  return 'monto' in fields ? { ...fields, monto: Number(fields['monto']) } : fields
}
