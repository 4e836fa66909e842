import { readTag, type Asked, type ResourceName } from './act.ts'

/** A record's fields as the model has them: amounts are numbers of whole pesos. */
export type Fields = Record<string, any>

/** All of a company's records at a revision, by id. */
export type State = Record<ResourceName, ReadonlyMap<number, Fields>>

/** A company without records, as it begins. */
export const nothing: State = { contracts: new Map(), estimates: new Map() }

/** What a request does to one record: makes one, where it names none; leaves none, where it has no fields. */
export interface Write {
  resource: ResourceName
  id?: number
  fields?: Fields
}

/** What the API promises to answer: a refusal, with the fields that are wrong, or what it writes. */
export type Due = { status: 400 | 404 | 409 | 412, fields: string[] } | { status: 200 | 201 | 204, writes: Write[] }

/** What is authorized of a contract in all. */
export function authorized ({ estimates }: State, contract: number): number {
  return [...estimates.values()].filter(one => one['contract'] === contract && isSettled(one)).reduce((sum, { monto }) => sum + monto, 0)
}

/** Whether an estimate counts against its contract's amount. */
export const isSettled = ({ estado }: Fields) => estado === 'autorizada' || estado === 'pagada'

/** Where each state of a contract may go (api.md, 5). */
const contractTransitions: Record<string, string[]> = {
  vigente: ['suspendido', 'terminado', 'cancelado'],
  suspendido: ['vigente', 'terminado', 'cancelado'],
  terminado: [],
  cancelado: []
}

/** Whether an estimate counts at all. */
const isLive = ({ estado }: Fields) => estado !== 'rechazada' && estado !== 'cancelada'

/** Where each state of an estimate may go (api.md, 6): written out again on purpose, since a model that took it from the service would find no fault in it. */
const transitions: Record<string, string[]> = {
  borrador: ['enviada', 'cancelada'],
  enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
  autorizada: ['pagada'],
  pagada: [],
  rechazada: ['borrador'],
  cancelada: []
}

interface Rules {
  /** A new record's fields but those that are given; `more` of the same request come before it. */
  fresh: (state: State, body: Fields, more: Fields[]) => Fields
  /** Fields that are wrong in a record as it would be. */
  wrong: (state: State, next: Fields, current?: Fields) => string[]
  /** Whether the record's state does not admit the change. */
  conflicts: (next: Fields, current: Fields) => boolean
  /** Whether something keeps the record from being deleted. */
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

/** A contract's id and those of all above it. */
export function pathFrom ({ contracts }: State, id: number): number[] {
  const path: number[] = []
  for (let next: number | null | undefined = id; next != null && !path.includes(next); next = contracts.get(next)?.['parent']) path.push(next)
  return path
}

/** What the API promises to do when a request comes to a company in that state (api.md, 5, 6 and 8). */
export function due (state: State, { method, path, body, ifMatch }: Asked): Due {
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

/** Of a body what the model knows and a writer may set. */
function given (body: Fields): Fields {
  const fields = Object.fromEntries(Object.entries(body).filter(([name]) => writable.includes(name)))
  return 'monto' in fields ? { ...fields, monto: Number(fields['monto']) } : fields
}
