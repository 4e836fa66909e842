import { Type } from '@sinclair/typebox'
import { money } from '../../resources/declaration/decimals.ts'
import { numberedWithin } from '../../resources/declaration/derived.ts'
import { boolean, choice, computed, day, integer, reference, text } from '../../resources/declaration/fields.ts'
import { Choice } from '../../resources/declaration/schemas.ts'
import { contracts } from '../contracts/resource.ts'

/** The states of a change order. */
const states = ['borrador', 'enviado', 'autorizado', 'firmado', 'rechazado', 'cancelado'] as const

/** Warnings about a change of more than 25 or 50 percent, or of lump sums. They refuse nothing. */
const warnings = [
  'monto_25', 'monto_50', 'aumento_25', 'aumento_50', 'reduccion_25', 'reduccion_50', 'dias_25', 'dias_50', 'alzado'
] as const

/** The longest change of a term in days, about a hundred years. */
const longestChange = 36_500

/** The fields of a change order. */
export const fields = {
  contract: reference(contracts).required().fixed()
    .describe('Id of the contract.')
    .filterable('Id of the contract.', '1'),
  numero: numberedWithin('contract').orderable()
    .describe('Number of the change order in its contract, from 1.'),
  folio: text(64).default('')
    .describe('Number that the company gives the change order, or an empty string.', 'ON-2026-002-CM-1'),
  descripcion: text(2000).default('')
    .describe('What changes, and why.', 'Muro de contención adicional en el lindero poniente'),
  monto: money().signed().default('0.00').sumOf('conceptos', 'importe', 'convenio_id is not null').orderable()
    .describe('Amount that the signature adds to the contract. Negative for a reduction.', '216600.00'),
  dias: integer(-longestChange, longestChange).default(0)
    .describe('Days that the signature adds to the end of the contract. Negative for a shorter term.', 50),
  con_anticipo: boolean().default(false)
    .describe("Whether the contract's advance percentage also applies to this amount.", false),
  fecha_autorizacion: day().nullable()
    .describe('Day of the written order. Required from `autorizado` on. A return to `borrador` clears it.', '2026-04-20'),
  fecha_firma: day().nullable().orderable()
    .describe('Day of the signature. Required for `firmado`.', '2026-05-04'),
  motivo_rechazo: text(2000).default('')
    .describe('Reason for the rejection. Required for `rechazado`.', ''),
  estado: choice(states).default('borrador')
    .describe(
      'State: `borrador` → `enviado` → `autorizado` → `firmado`, which is final; `enviado` → `rechazado` → `borrador`; ' +
        '`enviado` and `autorizado` → `borrador`; `borrador`, `enviado` and `autorizado` → `cancelado`.'
    )
    .filterable('Change orders in this state.'),
  porcentaje_monto: computed(Type.String(), 'x.porcentaje_monto').nullable().detail()
    .describe(
      'Amount of this change order together with the signed change orders with a lower `numero`, ' +
        'in percent of the original amount of the contract. Null if the original amount is `0.00`.',
      '33.17'
    ),
  porcentaje_aumento: computed(Type.String(), 'x.porcentaje_aumento').nullable().detail()
    .describe(
      'Additions of the change orders in `porcentaje_monto`, in percent of the original amount. Additions are the rows of `conceptos/` ' +
        'with a positive `importe`. The `monto` of a change order without rows counts as one row. Null if the original amount is `0.00`.',
      '42.26'
    ),
  porcentaje_reduccion: computed(Type.String(), 'x.porcentaje_reduccion').nullable().detail()
    .describe(
      'Reductions of the change orders in `porcentaje_monto`, in percent of the original amount. ' +
        'The percentage is negative or `0.00`. Null if the original amount is `0.00`.',
      '-9.09'
    ),
  porcentaje_dias: computed(Type.String(), 'x.porcentaje_dias').nullable().detail()
    .describe(
      'Days of the change orders in `porcentaje_monto`, in percent of the original term of the contract. Null if the contract has no term.',
      '27.78'
    ),
  avisos: computed(Type.Array(Choice(warnings)), 'x.avisos').detail()
    .describe('Warnings. `monto_25`, `aumento_25`, `reduccion_25`, `dias_25`: the percentage with this name is above 25 or below −25. ' +
      '`monto_50`, `aumento_50`, `reduccion_50`, `dias_50`: it is above 50 or below −50. ' +
      '`alzado`: the change order has rows of lump sums.',
    ['monto_25', 'aumento_25', 'dias_25'])
}
