import { where, type Fields, type State } from './state.ts'

/** Permitted next states, by state. Repeated on purpose: a model that imports them from the service finds no fault in them. */
type Transitions = Record<string, string[]>

const transitions: Record<'contracts' | 'estimates' | 'convenios', Transitions> = {
  contracts: {
    vigente: ['suspendido', 'terminado', 'cancelado'],
    suspendido: ['vigente', 'terminado', 'cancelado'],
    terminado: ['vigente'],
    cancelado: []
  },
  estimates: {
    borrador: ['enviada', 'cancelada'],
    enviada: ['autorizada', 'rechazada', 'borrador', 'cancelada'],
    autorizada: ['pagada', 'enviada'],
    pagada: [],
    rechazada: ['borrador'],
    cancelada: []
  },
  convenios: {
    borrador: ['enviado', 'cancelado'],
    enviado: ['autorizado', 'rechazado', 'borrador', 'cancelado'],
    autorizado: ['firmado', 'borrador', 'cancelado'],
    firmado: [],
    rechazado: ['borrador'],
    cancelado: []
  }
}

/** The rules of a resource (api.md, 5 and 6; works.md, 2 to 8). `current` is the record before a change. */
export interface Rules {
  /** The default fields of a new record; `more` are the records created before it in the same request. */
  fresh: (state: State, body: Fields, more: Fields[]) => Fields
  /** The fields for which a write is refused with 400, or undefined for each that is valid. */
  wrong: (state: State, next: Fields, current?: Fields) => Array<string | undefined | false>
  /** Whether a state forbids the write, with 409. */
  conflicts: (state: State, next: Fields, current?: Fields) => boolean
  /** Whether the record cannot be deleted, with 409. */
  kept: (state: State, record: Fields) => boolean
  /** The fields for which a delete is refused with 400. */
  wrongToDelete?: (state: State, record: Fields) => string[]
}

/** Whether the state may change so. */
export const moves = (resource: keyof typeof transitions, { estado }: Fields, current?: Fields): boolean =>
  current === undefined || estado === current['estado'] || transitions[resource][current['estado']]?.includes(estado) === true

/** The contract of a record. */
export const contractOf = (state: State, { contract }: Fields): Fields => state.contracts.get(contract) ?? {}

/** Whether the change leads to a state. */
export const becomes = (estado: string, next: Fields, current?: Fields) => next['estado'] === estado && current !== undefined && current['estado'] !== estado

/** Whether two estimates are numbered together: advance documents have their own numbers. */
export const isOfSeries = (one: Fields, { tipo = 'ordinaria' }: Fields) => (one['tipo'] === 'anticipo') === (tipo === 'anticipo')

/** The number of a new record; `more` are those created before it in the same request. */
export const nextNumber = (state: State, resource: 'estimates' | 'convenios', record: Fields, more: Fields[]) => {
  const { contract } = record
  return 1 + [...where(state, resource, { contract }), ...more.filter(other => other['contract'] === contract)].filter(other => isOfSeries(other, record)).length
}
