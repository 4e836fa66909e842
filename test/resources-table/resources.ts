import type { TObject } from '@sinclair/typebox'
import { Contract, ContractBody, ContractItem, ContractPatch, ContractQuery } from '../../routes/api/v1/contracts/schemas.ts'
import { Contraparte, ContraparteBody, ContrapartePatch, ContraparteQuery } from '../../routes/api/v1/contrapartes/schemas.ts'
import { Estimate, EstimateBody, EstimatePatch, EstimateQuery } from '../../routes/api/v1/estimates/schemas.ts'
import type { Client, TestServer } from '../helper.ts'
import type { Taken } from './body-kinds.ts'

/** Ids that a reference can have: one of the caller's own and one of another tenant's. */
export interface Ids { own: number, foreign: number }

/** A resource as the table of fields sees it. */
export interface Entry {
  /** Path segment. */
  name: string
  record: TObject
  item: TObject
  body: TObject
  patch: TObject
  query: TObject
  /** Whether there is `bulk/`, with upsert by `external_id`. */
  bulk: boolean
  /** Required fields, right; others each time. */
  right: (number: number) => Record<string, unknown>
  /** What else a body must have for the field's last values to be right. */
  beside?: Record<string, Record<string, unknown>>
  /** What the field takes in a new record, where its schema does not tell. */
  taken?: Record<string, Taken[]>
  /** References that cannot change: of one that does not exist a change is told that, too. */
  fixed?: string[]
  /** The resource that a field refers to. */
  references: Record<string, 'contracts' | 'contrapartes'>
  /** How the first record that `right` makes is made ready. */
  prepare?: (director: Client) => Promise<void>
}

let contract = 0

/** Every resource with fields that callers write. A further one is a further entry. */
export const entries: Entry[] = [
  {
    name: 'contracts',
    record: Contract,
    item: ContractItem,
    body: ContractBody,
    patch: ContractPatch,
    query: ContractQuery,
    bulk: true,
    right: number => ({ folio: `TABLA-${number}` }),
    references: { contraparte: 'contrapartes', parent: 'contracts' }
  },
  {
    name: 'contrapartes',
    record: Contraparte,
    item: Contraparte,
    body: ContraparteBody,
    patch: ContrapartePatch,
    query: ContraparteQuery,
    bulk: true,
    right: number => ({ nombre: `Tabla ${number}` }),
    references: {}
  },
  {
    name: 'estimates',
    record: Estimate,
    item: Estimate,
    body: EstimateBody,
    patch: EstimatePatch,
    query: EstimateQuery,
    bulk: true,
    right: () => ({ contract }),
    beside: { periodo_inicio: { periodo_fin: '9999-12-31' }, periodo_fin: { periodo_inicio: '0001-01-01' }, deductivas: { monto: '9999999999999999.99' } },
    taken: { estado: [['"borrador"', 'borrador']], periodo_inicio: [['"0001-01-01"', '0001-01-01'], ['" 9999-12-31 "', '9999-12-31']], periodo_fin: [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31']] },
    fixed: ['contract'],
    references: { contract: 'contracts' },
    // Without percentages the largest amounts have derived ones that still fit.
    prepare: async (director) => { contract = (await director.post('contracts/', { folio: 'TABLA-BASE', iva_porcentaje: '0' })).json().id }
  }
]

/** The ids that a reference of an entry can have, on a server with the demo data. */
export async function idsOf ({ psql }: TestServer): Promise<Record<string, Ids>> {
  const found = async (table: string) => (await psql(`select (select min(id) from ${table} where company_id = 1) as own, (select min(id) from ${table} where company_id = 3) as foreign`))[0] as unknown as Ids
  return { contracts: await found('contracts'), contrapartes: await found('contrapartes') }
}
