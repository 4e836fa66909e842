import { Type, type Static } from '@sinclair/typebox'
import { AccountId, Amount, Decimal, Id, Nullable } from '../../../resources/declaration/schemas.ts'
import { contracts } from '../../contracts/resource.ts'
import { estimates } from '../../estimates/resource.ts'
import { Advance } from '../anticipo.ts'

/** Amounts of the estimate, in the order in which they follow from each other. */
export const amountNames = [
  'monto', 'anticipo', 'amortizacion', 'retencion', 'deductivas', 'cargos_antes_iva', 'subtotal', 'iva', 'derechos', 'cargos_despues_iva', 'neto'
] as const

const Importe = (description: string, example: string) => Type.String({ ...Amount, description, examples: [example] })

/** An amount before the estimate, in it, and with it. */
const Importes = Type.Object({
  anterior: Importe('In the authorized estimates with lower `numero`, and in authorized advances. For an authorized estimate: those authorized before it.', '22948.11'),
  periodo: Importe('In this estimate.', '65012.50'),
  acumulado: Importe('`anterior + periodo`.', '87960.61')
})

const Progress = (description: string) =>
  Nullable(Decimal(2), { description, examples: ['33.74'] })

const Chapter = Type.Object({
  capitulo: Type.String({ description: 'Chapter, as a path.', examples: ['02 Estructura/02.1 Losas'] }),
  importe: Importe('Amount of its concepts in force.', '342862.66'),
  ...Importes.properties,
  avance: Progress('`acumulado` in percent of `importe`, or null without an amount.')
})

const { tipo, numero, estado, descripcion, periodo_inicio: first, periodo_fin: last, factura_uuid: invoice } = estimates.schemas.record.properties
const { folio, contraparte, moneda, fecha_inicio: start, fecha_fin: end, monto } = contracts.schemas.record.properties

/** The cover sheet of an estimate. */
export const Caratula = Type.Object({
  estimate: Id,
  tipo,
  numero,
  estado,
  periodo_inicio: first,
  periodo_fin: last,
  descripcion,
  factura_uuid: invoice,
  company: AccountId,
  company_nombre: Type.String({ description: 'Name of the company.', examples: ['Obra Norte'] }),
  contract: Type.Object({
    id: Id,
    folio,
    descripcion: Type.String({ description: 'Scope of the contract.', examples: ['Cimentación y estructura'] }),
    contraparte,
    moneda,
    fecha_inicio: start,
    fecha_fin: end,
    monto_original: Importe('Amount without the signed change orders.', '823802.66'),
    convenios: Importe('Sum of the signed change orders.', '0.00'),
    monto
  }, { description: 'The contract as it is now.' }),
  importes: Type.Object(Object.fromEntries(amountNames.map(name => [name, Importes]))),
  anticipo: Advance,
  capitulos: Type.Array(Chapter, { description: 'The concepts of the contract by chapter. Empty without a catalogue.' }),
  avance: Progress('`monto` up to this estimate in percent of the amount of the contract, or null without an amount.')
}, { title: 'Caratula' })

/** Figures of {@link Caratula}. */
export interface CaratulaFigures {
  tipo: 'ordinaria' | 'anticipo' | 'finiquito'
  numero: number
  estado: 'borrador' | 'enviada' | 'autorizada' | 'pagada' | 'rechazada' | 'cancelada'
  periodo_inicio: string | null
  periodo_fin: string | null
  factura_uuid: string | null
  company_nombre: string
  contract: {
    folio: string
    descripcion: string
    contraparte: string | null
    moneda: string
    fecha_inicio: string | null
    fecha_fin: string | null
    monto_original: string
    convenios: string
    monto: string
  }
  importes: Record<string, Static<typeof Importes>>
  anticipo: Static<typeof Advance>
  capitulos: Array<Static<typeof Chapter>>
  avance: string | null
}

/** A row of the cover sheet as CSV. */
export const CaratulaRow = Type.Object({
  importe: Type.String({ description: 'Name of the amount.', examples: ['neto'] }),
  ...Importes.properties
}, { title: 'CaratulaRow' })
