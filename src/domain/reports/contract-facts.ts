import { Type } from '@sinclair/typebox'
import { contracts } from '../contracts/resource.ts'
import { contrapartes } from '../contrapartes/resource.ts'
import { recordProperties } from '../../resources/declaration/record-properties.ts'
import { Importe } from './amounts.ts'

/** Schema of the name of the company. */
export const companyName = Type.String({ description: 'Name of the company.', examples: ['Obra Norte'] })

const { folio, contraparte, moneda, fecha_inicio: start, fecha_fin: end, monto } = recordProperties(contracts)
const { rfc } = recordProperties(contrapartes)

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
  monto,
  sin_firma: Importe('Sum of the change orders in `autorizado`, which are not signed. They are not part of `monto`.', '0.00')
}

/** Columns of the JSON of `contract_facts`, with their types. */
export const contractColumns = Object.keys(contractFacts).map(name => `${name} text`).join(', ')
