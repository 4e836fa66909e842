import { quantity } from '../../resources/declaration/decimals.ts'
import { copied } from '../../resources/declaration/derived.ts'
import { reference, text } from '../../resources/declaration/fields.ts'
import { conceptos } from '../conceptos/resource.ts'
import { contracts } from '../contracts/resource.ts'
import { estimates } from '../estimates/resource.ts'

/** The fields of a measurement. */
export const fields = {
  estimate: reference(estimates).required().fixed().onDelete('cascade')
    .describe('Id of the estimate.')
    .filterable('Id of the estimate.', '1'),
  concepto: reference(conceptos).required().fixed().within('contract', 'otherContract')
    .describe('Id of the concept, of the same contract.')
    .filterable('Id of the concept.', '1'),
  contract: copied(reference(contracts), 'estimate.contract')
    .describe('Id of the contract of the estimate.')
    .filterable('Id of the contract.', '1'),
  ubicacion: text(200).default('')
    .describe('Place on the site.', 'Ejes A-C'),
  piezas: quantity().nullable()
    .describe('Number of pieces. Negative for openings.', null),
  largo: quantity().nullable()
    .describe('Length.', '24.5000'),
  ancho: quantity().nullable()
    .describe('Width.', '1.2000'),
  alto: quantity().nullable()
    .describe('Height.', '1.8500'),
  cantidad: quantity().orderable()
    .describe(
      'Quantity. With `piezas`, `largo`, `ancho` or `alto` it is the product of these, rounded to four places. ' +
        'Negative to correct earlier estimates.',
      '54.3900'
    )
    .describeInput({
      description: 'Quantity. Required without `piezas`, `largo`, `ancho` and `alto`; with them, only their product is accepted.'
    }),
  observaciones: text(500).default('')
    .describe('Remarks.', '')
}
