import { Type, type Static } from '@sinclair/typebox'
import { AccountId, Day, Decimal, Id, Nullable, Percentage } from '../../../resources/declaration/schemas.ts'
import { estimates } from '../../estimates/resource.ts'
import { movimientos } from '../../movimientos/resource.ts'
import { amountNames, Importe } from '../amounts.ts'
import { Advance } from '../anticipo.ts'
import { companyName, contractFacts } from '../contract-facts.ts'
import { mapNames } from '../../../http/names.ts'
import { recordProperties } from '../../../resources/declaration/record-properties.ts'

const Percent = (description: string, example: string) => Type.String({ ...Percentage, description, examples: [example] })

/** An amount before the estimate, in it, and with it. */
const Importes = Type.Object({
  anterior: Importe(
    'In the earlier estimates. An earlier estimate is authorized. It has a lower `numero`, or only one of the two ' +
      'estimates is an advance document. If this estimate is authorized, the earlier estimate was authorized before this one.',
    '22948.11'
  ),
  periodo: Importe('In this estimate.', '65012.50'),
  acumulado: Importe('`anterior + periodo`.', '87960.61')
})

const Progress = (description: string) =>
  Nullable(Decimal(2), { description, examples: ['33.74'] })

const chapterAmounts = {
  importe: Importe('Amount of the concepts of the chapter: rows of the original catalogue and of signed change orders.', '342862.66'),
  sin_firma: Importe('Amount of the rows of change orders in `autorizado`, which are not signed. It is not part of `importe`.', '0.00'),
  ...Importes.properties,
  avance: Progress('`acumulado` in percent of `importe`, or null without an amount.')
}

const Chapter = Type.Object({
  capitulo: Type.String({ description: 'Chapter, as a path.', examples: ['02 Estructura/02.1 Losas'] }),
  ...chapterAmounts
})

const { tipo: kind, antes_iva: beforeTax } = recordProperties(movimientos)

const Movement = Type.Object({
  antes_iva: beforeTax,
  tipo: kind,
  motivo: Type.String({ description: 'Reason.', examples: ['Atraso de 12 días en la losa del nivel 3'] }),
  ...Importes.properties
})

const {
  tipo, numero, estado, descripcion, periodo_inicio: first, periodo_fin: last, factura_uuid: invoice
} = recordProperties(estimates)

/** The cover sheet of an estimate. */
export const Caratula = Type.Object({
  estimate: Id,
  tipo,
  numero,
  estado,
  fecha: Nullable(Day, {
    description: "Day of the authorization in the company's time zone. " +
      'Null for an estimate that is not authorized, and if the day is not known.'
  }),
  congelada: Type.Boolean({
    description: 'Whether the authorization has kept this sheet, so that its figures do not change any more. ' +
      '`false` if the estimate is not authorized, or was authorized before Obra kept sheets. ' +
      'Then the contract, the advance, the progress and the chapters have their present values.',
    examples: [true]
  }),
  periodo_inicio: first,
  periodo_fin: last,
  descripcion,
  factura_uuid: invoice,
  company: AccountId,
  company_nombre: companyName,
  contract: Type.Object({ id: Id, ...contractFacts }, { description: 'The contract.' }),
  porcentajes: Type.Object({
    anticipo: Percent('Repayment of the advance.', '30.00'),
    retencion: Percent('Retention.', '5.00'),
    iva: Percent('Value added tax.', '16.00'),
    derechos: Percent('Inspection fee.', '0.50')
  }, { description: 'Percentages of the estimate.' }),
  importes: Type.Object(mapNames(amountNames, () => Importes)),
  movimientos: Type.Array(Movement, {
    description: 'Movements by `antes_iva`, `tipo` and `motivo`. ' +
      'Returns (`abono`) are negative. Their sums are `cargos_antes_iva` and `cargos_despues_iva`.'
  }),
  por_estimar: Importe('`monto` of the contract minus `monto` up to this estimate.', '576661.86'),
  anticipo: Advance,
  capitulos: Type.Array(Chapter, { description: 'The concepts of the contract by chapter. Empty without a catalogue.' }),
  capitulos_total: Type.Object(chapterAmounts, { description: 'Sum of the chapters.' }),
  avance: Progress('`monto` up to this estimate in percent of the amount of the contract, or null without an amount.'),
  avance_programado: Progress(
    'What the programme has until `periodo_fin`, in percent of the amount of the contract. ' +
      'Null without a programme in force, a period or an amount.'
  ),
  avance_financiero: Progress(
    'The paid part of the work up to this estimate, in percent of the amount of the contract, or null without an amount: ' +
      'the sum of `round(monto × pagado ÷ neto, 2)` of the authorized estimates with a `neto` above zero. ' +
      'It follows the payments, and is not on the PDF.'
  ),
  pagado: Importe('Sum of the payments of this estimate. It follows the payments, and is not on the PDF.', '0.00'),
  por_pagar: Importe(
    '`neto − pagado` of an authorized estimate, otherwise `0.00`. It follows the payments, and is not on the PDF.', '182392.77'
  )
}, { title: 'Caratula' })

/** Figures of {@link Caratula}. */
export type CaratulaFigures = Static<typeof Caratula>

/** A row of the cover sheet as CSV. */
export const CaratulaRow = Type.Object({
  importe: Type.String({
    description: 'Name of the amount, or `movimiento_antes_iva` or `movimiento_despues_iva` for a movement.', examples: ['neto']
  }),
  tipo: Type.String({ description: '`tipo` of the movement.', examples: ['pena'] }),
  motivo: Movement.properties.motivo,
  ...Importes.properties
}, { title: 'CaratulaRow' })
