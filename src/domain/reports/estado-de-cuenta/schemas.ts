import { Type, type Static } from '@sinclair/typebox'
import { limits } from '../../../config/limits.ts'
import { AccountId, Amount, Choice, Day, Id, Nullable } from '../../../resources/declaration/schemas.ts'
import type { MovementKind } from '../../movimientos/fields.ts'
import { movimientos } from '../../movimientos/resource.ts'
import { amountNames, Importe } from '../amounts.ts'
import { Advance } from '../anticipo.ts'
import { companyName, contractFacts } from '../contract-facts.ts'
import { mapNames } from '../../../http/names.ts'
import { recordProperties } from '../../../resources/declaration/record-properties.ts'

/** Maximum rows of a statement: documents and payments. */
export const maxRows = limits.reports.statementRows

/** Kinds of money that documents take. */
export const takingNames = ['retenido', 'penas', 'deducciones', 'impuestos', 'otros'] as const

/** One of {@link takingNames}. */
export type Taking = typeof takingNames[number]

const takings: Record<Taking, string> = {
  retenido: 'Retained: `retencion`, and the movements `retencion` and `fondo_garantia`',
  penas: 'Penalties: the movements `pena`',
  deducciones: 'Deductions: `deductivas`, and the movements `deductiva`',
  impuestos: 'Taxes and fees: `derechos`, and the movements `impuesto`',
  otros: 'Other charges: the movements `otro`'
}

const Taken = (name: Taking) =>
  Nullable(Amount, { description: `${takings[name]}. Charges minus returns. Null for a payment.`, examples: ['0.00'] })

const SumTaken = (name: Taking) => Importe(`${takings[name]}. Charges minus returns of authorized estimates.`, '0.00')

/** A row of the statement of account. */
export const AccountRow = Type.Object({
  tipo: Choice(['ordinaria', 'anticipo', 'finiquito', 'pago'], {
    title: 'EstadoDeCuentaTipo', description: '`tipo` of an authorized estimate, or `pago` for a payment of it.', examples: ['ordinaria']
  }),
  id: Type.Integer({ ...Id, description: 'Id of the estimate or the payment.' }),
  estimate: Type.Integer({ ...Id, description: 'Id of the estimate.' }),
  numero: Type.Integer({ minimum: 1, description: 'Number of the estimate.', examples: [1] }),
  fecha: Nullable(Day, { description: 'Day of the authorization or of the payment, or null if it is not known.' }),
  referencia: Type.String({ description: 'Fiscal folio of the invoice, or reference of the payment.', examples: ['SPEI 0415'] }),
  cargo: Nullable(Amount, { description: '`neto` of the estimate.', examples: ['1487.70'] }),
  abono: Nullable(Amount, { description: '`importe` of the payment.', examples: [null] }),
  saldo: Importe('Balance after this row: sum of `cargo` minus sum of `abono`. The rows are in the order of time.', '1487.70'),
  retenido: Taken('retenido'),
  penas: Taken('penas'),
  deducciones: Taken('deducciones'),
  impuestos: Taken('impuestos'),
  otros: Taken('otros')
}, { title: 'EstadoDeCuentaRow' })

/** The kinds of movements that keep money which the contractor gets back. */
export const retainedKinds = ['retencion', 'fondo_garantia'] as const satisfies MovementKind[]

const { antes_iva: beforeTax } = recordProperties(movimientos)

const sums = mapNames(amountNames, name => Importe(`Sum of \`${name}\`.`, '0.00'))

/** The statement of account of a contract. */
export const EstadoDeCuenta = Type.Object({
  company: AccountId,
  company_nombre: companyName,
  contract: Id,
  ...contractFacts,
  monto_estimado: Importe('Sum of `monto` of the authorized estimates.', '277921.07'),
  por_estimar: Importe('`monto − monto_estimado`.', '545881.59'),
  importes: Type.Object(sums, { description: 'Sums of the amounts of the authorized estimates.' }),
  neto: Importe('Sum of `neto` of the authorized estimates.', '214388.32'),
  pagado: Importe('Sum of their payments.', '31995.55'),
  saldo: Importe('`neto − pagado`.', '182392.77'),
  anticipo: Advance,
  retenido: Type.Array(Type.Object({
    tipo: Choice(retainedKinds, { title: 'RetainedKind', description: 'Kind of the movements.', examples: ['fondo_garantia'] }),
    antes_iva: beforeTax,
    importe: Importe('Charges minus returns of authorized estimates.', '9727.23')
  }),
  {
    description: 'What authorized estimates have retained and not returned, by `tipo` (`retencion`, `fondo_garantia`) and `antes_iva`. ' +
      '`fondo_garantia` has their field `retencion` too.'
  }),
  penas: SumTaken('penas'),
  deducciones: SumTaken('deducciones'),
  impuestos: SumTaken('impuestos'),
  otros: SumTaken('otros'),
  documentos: Type.Array(AccountRow, {
    description: 'Estimates on the day of their authorization, and payments on their day, in the order of time. ' +
      `A payment without a day follows its estimate. At most ${maxRows}.`
  })
}, { title: 'EstadoDeCuenta' })

/** Figures of {@link EstadoDeCuenta}. */
export type EstadoDeCuentaFigures = Static<typeof EstadoDeCuenta>
