import { Type, type TString, type TUnsafe } from '@sinclair/typebox'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { contracts } from '../contracts/resource.ts'
import { contrapartes } from '../contrapartes/resource.ts'
import { Importe } from './amounts.ts'

/** Schema of the name of the company. */
export const companyName = Type.String({ description: 'Name of the company.', examples: ['Obra Norte'] })

const { folio, contraparte, moneda, fecha_inicio: start, fecha_fin: end, monto } = contracts.schemas.record.properties as {
  folio: TString
  contraparte: TUnsafe<string | null>
  moneda: TString
  fecha_inicio: TUnsafe<string | null>
  fecha_fin: TUnsafe<string | null>
  monto: TString
}
const { rfc } = contrapartes.schemas.record.properties as { rfc: TUnsafe<string | null> }

/** Schemas of what a report shows of its contract. */
export const contractFacts = {
  folio,
  descripcion: Type.String({ description: 'Scope of the contract.', examples: ['Cimentación y estructura'] }),
  contraparte,
  contraparte_rfc: Type.Unsafe<string | null>({ ...rfc, description: 'Tax id (RFC) of the counterparty.' }),
  moneda,
  fecha_inicio: start,
  fecha_fin: end,
  monto_original: Importe('Amount without the signed change orders.', '823802.66'),
  convenios: Importe('Sum of the signed change orders.', '0.00'),
  monto
}

/** SQL of the {@link contractFacts} of the contract `c` with its counterparty `p` and its sums `s`. */
export const contractColumns: Record<keyof typeof contractFacts, string> = {
  folio: 'c.folio',
  descripcion: 'c.descripcion',
  contraparte: 'p.nombre',
  contraparte_rfc: 'p.rfc',
  moneda: 'c.moneda',
  fecha_inicio: 'c.fecha_inicio',
  fecha_fin: 'c.fecha_fin',
  monto_original: '(c.monto - s.convenios)::text',
  convenios: 's.convenios::text',
  monto: 'c.monto::text'
}

/** SQL join: the counterparty `p` of the contract `c`. */
export const itsCounterparty = `left join lateral ${keyedRow('id', { table: 'contrapartes', as: 'p', company: 'c.company_id', value: 'c.contraparte_id' })} p on true`
