import { Type } from '@sinclair/typebox'
import { Amount } from '../../resources/declaration/schemas.ts'

/** The advance of a contract in a report. */
export const Advance = Type.Object({
  importe: Type.String({
    ...Amount,
    description: 'Sum of the authorized estimates with `tipo` `anticipo`. Without one, the agreed advance: `anticipo_porcentaje` ' +
      'of `monto` minus the signed change orders whose `con_anticipo` is `false`. Of a settled contract without one: what was repaid.',
    examples: ['247140.80']
  }),
  amortizado: Type.String({ ...Amount, description: 'What the estimates have repaid.', examples: ['83376.32'] }),
  por_amortizar: Type.String({ ...Amount, description: '`importe − amortizado`, at least `0.00`.', examples: ['163764.48'] })
})
