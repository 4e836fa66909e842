import { Type, type Static, type TInteger, type TString, type TUnsafe } from '@sinclair/typebox'
import { AccountId, Decimal, Id, Nullable, Percentage } from '../../../resources/declaration/schemas.ts'
import type { EstimateKind, EstimateState } from '../../estimates/fields.ts'
import { estimates } from '../../estimates/resource.ts'
import { amountNames, Importe, type AmountName } from '../amounts.ts'
import { Advance } from '../anticipo.ts'
import { companyName, contractFacts } from '../contract-facts.ts'

const Percent = (description: string, example: string) => Type.String({ ...Percentage, description, examples: [example] })

/** An amount before the estimate, in it, and with it. */
const Importes = Type.Object({
  anterior: Importe('In the authorized estimates with lower `numero`, and in authorized advances. An authorized estimate counts only those of them that were authorized before it.', '22948.11'),
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

const { tipo, numero, estado, descripcion, periodo_inicio: first, periodo_fin: last, factura_uuid: invoice } = estimates.schemas.record.properties as {
  tipo: TUnsafe<EstimateKind>
  numero: TInteger
  estado: TUnsafe<EstimateState>
  descripcion: TString
  periodo_inicio: TUnsafe<string | null>
  periodo_fin: TUnsafe<string | null>
  factura_uuid: TUnsafe<string | null>
}

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
  company_nombre: companyName,
  contract: Type.Object({ id: Id, ...contractFacts }, { description: 'The contract as it is now.' }),
  porcentajes: Type.Object({
    anticipo: Percent('Repayment of the advance.', '30.00'),
    retencion: Percent('Retention.', '5.00'),
    iva: Percent('Value added tax.', '16.00'),
    derechos: Percent('Inspection fee.', '0.50')
  }, { description: 'Percentages of the estimate.' }),
  importes: Type.Object(Object.fromEntries(amountNames.map(name => [name, Importes])) as Record<AmountName, typeof Importes>),
  por_estimar: Importe('`monto` of the contract minus `monto` up to this estimate.', '576661.86'),
  anticipo: Advance,
  capitulos: Type.Array(Chapter, { description: 'The concepts of the contract by chapter. Empty without a catalogue.' }),
  avance: Progress('`monto` up to this estimate in percent of the amount of the contract, or null without an amount.'),
  avance_programado: Progress('What the programme has until `periodo_fin`, in percent of the amount of the contract. Null without a programme in force, a period or an amount.'),
  avance_financiero: Progress('`monto` of the estimates up to this one that are paid, in percent of the amount of the contract, or null without an amount.')
}, { title: 'Caratula' })

/** Figures of {@link Caratula}. */
export type CaratulaFigures = Static<typeof Caratula>

/** A row of the cover sheet as CSV. */
export const CaratulaRow = Type.Object({
  importe: Type.String({ description: 'Name of the amount.', examples: ['neto'] }),
  ...Importes.properties
}, { title: 'CaratulaRow' })
