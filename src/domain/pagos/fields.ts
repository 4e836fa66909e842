import { money } from '../../resources/declaration/decimals.ts'
import { copied } from '../../resources/declaration/derived.ts'
import { day, reference, text, uuid } from '../../resources/declaration/fields.ts'
import { contracts } from '../contracts/resource.ts'
import { estimates } from '../estimates/resource.ts'

/** The fields of a payment. */
export const fields = {
  estimate: reference(estimates).required().fixed()
    .describe('Id of the estimate.')
    .filterable('Id of the estimate.', '1'),
  contract: copied(reference(contracts), 'estimate.contract')
    .describe('Id of the contract of the estimate.')
    .filterable('Id of the contract.', '1'),
  importe: money().signed().required().fixed().orderable()
    .describe('Amount. It has the sign of `por_pagar` of the estimate and is at most as large.', '743.85'),
  fecha: day().required().nullInAnswers().orderable()
    .describe(
      'Day of the payment. Null if Obra created the payment when `estado` of the estimate changed to `pagada`, ' +
        'and no request has set the day yet. Bodies can give null only if `fecha` is already null.',
      '2026-04-15'
    )
    .bound('fecha_desde', '>=', 'Payments on or after this day.')
    .bound('fecha_hasta', '<=', 'Payments on or before this day.'),
  referencia: text(100).default('')
    .describe('Reference of the transfer, the number of the cheque or the like.', 'SPEI 0415'),
  complemento_uuid: uuid().nullable()
    .describe('Fiscal folio (UUID) of the payment receipt (complemento de pago).', '0f4f2c2e-59f0-4c53-8c53-5d3f9d6a1b70')
}
