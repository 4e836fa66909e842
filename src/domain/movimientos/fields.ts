import { decimal, money } from '../../resources/declaration/decimals.ts'
import { copied } from '../../resources/declaration/derived.ts'
import { boolean, choice, reference, text } from '../../resources/declaration/fields.ts'
import { contracts } from '../contracts/resource.ts'
import { estimates } from '../estimates/resource.ts'

/** The kinds of movements. A return is about charges of its kind. */
const kinds = ['deductiva', 'retencion', 'pena', 'fondo_garantia', 'impuesto', 'otro'] as const

/** One of the kinds of movements. */
export type MovementKind = typeof kinds[number]

/** The amounts that a percentage can be of. */
const bases = ['monto', 'subtotal', 'iva'] as const

/** The fields of a movement. */
export const fields = {
  estimate: reference(estimates).required().fixed().onDelete('cascade')
    .describe('Id of the estimate.')
    .filterable('Id of the estimate.', '1'),
  contract: copied(reference(contracts), 'estimate.contract')
    .describe('Id of the contract of the estimate.')
    .filterable('Id of the contract.', '1'),
  tipo: choice(kinds).required()
    .describe(
      'Kind of the movement. An `abono` of `fondo_garantia` can also return money that authorized estimates have kept as `retencion`.',
      'pena'
    )
    .filterable('Movements of this kind.', 'pena'),
  sentido: choice(['cargo', 'abono']).default('cargo')
    .describe(
      '`cargo` lowers the amount to pay. ' +
        '`abono` raises it, and returns money that authorized estimates have taken with the same `tipo` and `antes_iva`.'
    )
    .filterable('Charges (`cargo`) or returns (`abono`).'),
  motivo: text(500).required()
    .describe('Reason.', 'Atraso de 12 días en la losa del nivel 3'),
  antes_iva: boolean().required()
    .describe('Whether the amount changes `subtotal`, and with it the tax.', false),
  importe: money().nullable().shownAs('coalesce(t.importe, x.importe)')
    .describe(
      'Amount. With `porcentaje` it is `round(max(0, A) × porcentaje %, 2)`. A is the amount of the estimate that `base` names. ' +
        'Obra calculates `importe` again after each change of the estimate, until the authorization stores it.',
      '6200.00'
    )
    .describeInput({ description: 'Amount above `0.00`, or null with `porcentaje`. A change can send back the amount of a percentage.' }),
  porcentaje: decimal(9, 6).nullable()
    .describe('Percentage of the amount that `base` names, above 0 and at most 100, with six places. Null for a fixed amount.', null),
  base: choice(bases).default('monto')
    .describe('Name of the amount of the estimate to which `porcentaje` applies. If `antes_iva` is true, only `monto` is possible.')
}
