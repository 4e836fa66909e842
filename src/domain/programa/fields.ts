import { money } from '../../resources/declaration/decimals.ts'
import { day, reference } from '../../resources/declaration/fields.ts'
import { contracts } from '../contracts/resource.ts'
import { convenios } from '../convenios/resource.ts'

/** The fields of a row of the programme. */
export const fields = {
  contract: reference(contracts).required().fixed()
    .describe('Id of the contract.')
    .filterable('Id of the contract.', '1'),
  convenio: reference(convenios).nullable().fixed().within('contract', 'otherContract')
    .describe('Id of the change order that adds the row, or null for a row of the original programme.', null)
    .filterable('Id of the change order, or `null` for the original programme.', 'null'),
  periodo_inicio: day().required().orderable()
    .describe('First day of the period.', '2026-03-01'),
  periodo_fin: day().required()
    .describe('Last day of the period.', '2026-03-31'),
  importe: money().signed().required()
    .describe('Amount of the work planned in the period, without tax. A negative one takes planned work away.', '200000.00')
}
