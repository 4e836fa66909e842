import type { Caller } from '../caller.ts'
import { bulkItems, paidEstimates, type Site } from './contract.ts'

/** What a bulk writes in one pass, as in the answers. */
type Values = (pass: number) => Record<string, string>

/** A kind of bulk of the ERP, which writes the same records in each pass, with other values. */
export interface ErpBulk {
  resource: 'contrapartes' | 'contracts' | 'pagos'
  /** The fields that change. */
  values: Values
  /** The other fields of a record. */
  fixed: (number: number, site: Site) => object
}

/** The bulks of the ERP, in their order. */
export const erpBulks: ErpBulk[] = [
  { resource: 'contrapartes', values: pass => ({ notas: `Revisión ${pass}` }), fixed: number => ({ nombre: `Proveedor ${number}` }) },
  { resource: 'contracts', values: pass => ({ monto: `${1000 + pass}.50` }), fixed: number => ({ folio: `ERP-${number}` }) },
  {
    resource: 'pagos',
    values: pass => ({ referencia: `SPEI ${pass}` }),
    fixed: (number, { estimates }) => ({ estimate: estimates[number % paidEstimates]?.id, importe: '1.00', fecha: '2026-04-15' })
  }
]

/** The external id of a record of the ERP. */
export const externalId = (number: number) => `erp-${number}`

/** Sends a bulk. @throws {Error} if not all records are written */
export async function sendBulk (caller: Caller, { resource, values, fixed }: ErpBulk, site: Site, pass: number): Promise<void> {
  const items = Array.from({ length: bulkItems }, (_, number) => (
    { external_id: externalId(number), ...fixed(number, site), ...values(pass) }))
  const { results } = await caller.post(`${resource}/bulk/`, { items, upsert: 'external_id' })
  if (results?.length !== bulkItems) throw new Error(`a bulk of ${resource} has ${results?.length} results`)
}
