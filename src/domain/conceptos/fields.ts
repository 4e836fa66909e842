import { money, price, quantity } from '../../resources/declaration/decimals.ts'
import { generated } from '../../resources/declaration/derived.ts'
import { boolean, computed, reference, text } from '../../resources/declaration/fields.ts'
import { Decimal } from '../../resources/declaration/schemas.ts'
import { contracts } from '../contracts/resource.ts'
import { convenios } from '../convenios/resource.ts'

/** The fields of a concept. */
export const fields = {
  contract: reference(contracts).required().fixed()
    .describe('Id of the contract.')
    .filterable('Id of the contract.', '1'),
  convenio: reference(convenios).nullable().fixed().within('contract', 'otherContract')
    .describe('Id of the change order that adds the row, or null for a row of the original catalogue.', null)
    .filterable('Id of the change order, or `null` for the original catalogue.', 'null'),
  clave: text(64)
    .required().uniqueWithin('contract', 'convenio').collate('C').orderable({ sql: 'natural_key(t.clave) collate "C"', by: 'natural_key' })
    .describe(
      'Code, unique in the original catalogue and in each change order. ' +
        'Rows of a contract with the same code are one concept: they have the same unit, price and kind.',
      'EST-01'
    )
    .filterable('Concepts with exactly this code.', 'EST-01'),
  capitulo: text(200).default('').collate('C').orderable({ sql: 'natural_key(t.capitulo) collate "C"', by: 'natural_key' })
    .describe('Chapter, as a path with `/` between its parts.', '02 Estructura/02.1 Losas')
    .filterableByPath('Concepts of this chapter and of all chapters below it.', '02 Estructura'),
  descripcion: text(2000).default('')
    .describe('Description of the work.', 'Concreto premezclado en losas, f\'c = 250 kg/cm²'),
  unidad: text(16).required()
    .describe('Unit of the quantity.', 'm3'),
  cantidad: quantity().required().orderable()
    .describe('Quantity. Only a row of a change order can have a negative one: a reduction.', '1200.0000'),
  precio_unitario: price().required().orderable()
    .describe('Unit price, with up to six places.', '2890.50'),
  alzado: boolean().default(false)
    .describe('Whether the concept is a lump sum. Estimates then cannot exceed its quantity.')
    .filterable('Lump sums (`true`) or concepts by unit price (`false`).'),
  cantidad_vigente: computed(Decimal(4), 'v.cantidad_vigente')
    .describe(
      'Quantity in force of the code: the sum of the original row, the rows of signed change orders, ' +
        'and the additions of change orders in `autorizado`. Can have more digits than other quantities.',
      '1200.0000'
    ),
  cantidad_estimada: computed(Decimal(4), 'coalesce(s.cantidad, 0.0000)')
    .describe('Quantity of this row in authorized estimates. Can have more digits than other quantities.', '350.0000'),
  importe: generated(money().signed(), 'round(cantidad * precio_unitario, 2)').orderable()
    .describe('Amount: `round(cantidad × precio_unitario, 2)`.', '3468600.00')
}
