import { Type, type Static, type TBoolean, type TUnsafe } from '@sinclair/typebox'
import { AccountId, Amount, Choice, Day, Id, Nullable } from '../../../resources/declaration/schemas.ts'
import type { MovementKind } from '../../movimientos/fields.ts'
import { movimientos } from '../../movimientos/resource.ts'
import { amountNames, Importe, type AmountName } from '../amounts.ts'
import { Advance } from '../anticipo.ts'
import { companyName, contractFacts } from '../contract-facts.ts'

/** Maximum rows of a statement: documents and payments. */
export const maxRows = 2000

/** A row of the statement of account. */
export const AccountRow = Type.Object({
  tipo: Choice(['ordinaria', 'anticipo', 'finiquito', 'pago'], { title: 'EstadoDeCuentaTipo', description: '`tipo` of an authorized estimate, or `pago` for a payment of it.', examples: ['ordinaria'] }),
  id: Type.Integer({ ...Id, description: 'Id of the estimate or the payment.' }),
  estimate: Type.Integer({ ...Id, description: 'Id of the estimate.' }),
  numero: Type.Integer({ minimum: 1, description: 'Number of the estimate.', examples: [1] }),
  fecha: Nullable(Day, { description: 'Last day of the period, or day of the payment.' }),
  referencia: Type.String({ description: 'Fiscal folio of the invoice, or reference of the payment.', examples: ['SPEI 0415'] }),
  cargo: Nullable(Amount, { description: '`neto` of the estimate.', examples: ['1487.70'] }),
  abono: Nullable(Amount, { description: '`importe` of the payment.', examples: [null] }),
  saldo: Importe('Balance after this row: sum of `cargo` minus sum of `abono`.', '1487.70')
}, { title: 'EstadoDeCuentaRow' })

const { tipo, antes_iva: beforeTax } = movimientos.schemas.record.properties as { tipo: TUnsafe<MovementKind>, antes_iva: TBoolean }

/** The statement of account of a contract. */
export const EstadoDeCuenta = Type.Object({
  company: AccountId,
  company_nombre: companyName,
  contract: Id,
  ...contractFacts,
  monto_estimado: Importe('Sum of `monto` of the authorized estimates.', '277921.07'),
  por_estimar: Importe('`monto − monto_estimado`.', '545881.59'),
  importes: Type.Object(
    Object.fromEntries(amountNames.map(name => [name, Importe(`Sum of \`${name}\`.`, '0.00')])) as Record<AmountName, ReturnType<typeof Importe>>,
    { description: 'Sums of the amounts of the authorized estimates.' }),
  neto: Importe('Sum of `neto` of the authorized estimates.', '214388.32'),
  pagado: Importe('Sum of their payments.', '31995.55'),
  saldo: Importe('`neto − pagado`.', '182392.77'),
  anticipo: Advance,
  retenido: Type.Array(Type.Object({
    tipo,
    antes_iva: beforeTax,
    importe: Importe('Charges minus returns of authorized estimates.', '9727.23')
  }), { description: 'What authorized estimates have taken and not returned, by `tipo` and `antes_iva`. `fondo_garantia` has their `retencion` too.' }),
  documentos: Type.Array(AccountRow, { description: `Estimates and payments, at most ${maxRows}.` })
}, { title: 'EstadoDeCuenta' })

/** Figures of {@link EstadoDeCuenta}. */
export type EstadoDeCuentaFigures = Static<typeof EstadoDeCuenta>
