import { Type } from '@sinclair/typebox'
import { money } from '../../resources/declaration/decimals.ts'
import { boolean, choice, computed, day, percentage, reference, text } from '../../resources/declaration/fields.ts'
import { Amount, Day, Id } from '../../resources/declaration/schemas.ts'
import { contrapartes } from '../contrapartes/resource.ts'

/** The states of a contract. */
const states = ['vigente', 'suspendido', 'terminado', 'cancelado'] as const

/** The currencies of contracts, by ISO 4217 code. */
const currencies = ['MXN', 'USD', 'EUR'] as const

/** Sums in currencies other than the contract's own, by currency. */
export const OtherCurrencies = Type.Object(
  Object.fromEntries(currencies.toSorted().map(currency => [currency, Type.Optional(Type.String())])),
  { additionalProperties: false, examples: [{ USD: '12000.00' }] })

const parties = 'Cimentaciones Profundas del Bajío, S.A. de C.V.'

/** The fields of a contract. */
export const fields = {
  folio: text(64).required().unique().collate('C').orderable({ indexed: true })
    .describe('Folio: the number of the contract, unique in the company.', 'ON-2026-001')
    .describeInput({ examples: ['ON-2026-117'] })
    .filterable('Contracts with exactly this folio.', 'ON-2026-001'),
  contraparte: reference(contrapartes, 'nombre').nullable().from('p.nombre')
    .orderable({ sql: 'p.nombre_orden', type: 'text', by: 'sort_text', joins: true })
    .describe('Name of the counterparty. Bodies can also give its id, or `{"external_id": …}`.', parties)
    .describeInput({ description: 'Id or exact name of the counterparty.' })
    .filterable('Id or exact name of the counterparty, or `null` for contracts without one. Digits count as an id.', parties)
    .filterableByName('contraparte_nombre', 'Exact name of the counterparty, even if it consists of digits or is `null`.', parties),
  contraparte_id: computed(Id, 't.contraparte_id').nullable()
    .describe('Id of the counterparty.'),
  monto: money().default('0.00').sumOf('conceptos', 'importe', 'convenio_id is null').orderable()
    .describe(
      'Amount in force: the original amount, plus `monto` of each signed change order. ' +
        'If the contract has a catalogue, the original amount is the sum of the original `conceptos`. ' +
        'Bodies can change `monto` only while the contract has neither a catalogue nor a signed change order.'
    )
    .range('Contracts with at least this amount.', 'Contracts with at most this amount.'),
  parent: reference('self').nullable().onDelete('protect', { en: 'subcontracts', es: 'subcontratos' })
    .describe('Id of the parent contract, for subcontracts.', 1)
    .filterable('Id of the parent contract, or `null` for main contracts.', 'null'),
  moneda: choice(currencies, 3).default('MXN').orderable()
    .describe('Currency of the amounts.')
    .filterable('Contracts in this currency.'),
  fecha_inicio: day().nullable().orderable()
    .describe('First day.'),
  fecha_fin: day().nullable().orderable()
    .describe(
      'Last day in force, not before `fecha_inicio`. Signed change orders move it. ' +
        'After the first signature, bodies can change it only if it is null.',
      '2026-12-31'
    ),
  anticipo_porcentaje: percentage().default('0.00')
    .describe(
      'Percentage of the advance payment. It applies to `monto` without the signed change orders whose `con_anticipo` is `false`.', '10.00'
    ),
  retencion_porcentaje: percentage().default('0.00')
    .describe('Retention on each estimate, in percent.', '5.00'),
  iva_porcentaje: percentage().default('16.00')
    .describe('Value added tax (IVA), in percent.'),
  derechos_porcentaje: percentage().default('0.00')
    .describe('Inspection fee on the amount of each estimate, in percent: `0.50` for the 5 al millar of federal public works.', '0.50'),
  retencion_antes_iva: boolean().default(true)
    .describe('Whether the retention is taken before tax, from `subtotal`, or after it, from `neto`.'),
  estado: choice(states).default('vigente').orderable()
    .describe(
      'State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`; ' +
        '`terminado` changes back into `vigente`, except after an authorized `finiquito`. `cancelado` is final.'
    )
    .filterable('Contracts in this state.'),
  descripcion: text(2000).default('').detail()
    .describe('Scope of the contract.', 'Cimentación y estructura'),
  hijos: computed(Type.Integer({ minimum: 0 }), 's.hijos').detail()
    .describe('Number of direct subcontracts.', 2),
  monto_subcontratado: computed(Amount, 's.monto_subcontratado').detail()
    .describe("Sum of the direct subcontracts in the contract's currency. Can have more digits than other amounts.", '250000.00'),
  otras_monedas: computed(Type.Unsafe<Record<string, string>>(OtherCurrencies), 's.otras_monedas').detail()
    .describe('Sums of the direct subcontracts in other currencies, by currency.'),
  monto_original: computed(Amount, 't.monto - e.convenios').detail()
    .describe('Amount without the signed change orders.', '250000.00'),
  fecha_fin_original: computed(Day, 't.fecha_fin - e.dias').nullable().detail()
    .describe('Last day without the signed change orders.', '2026-12-31'),
  extra_autorizado: computed(Amount, 'e.extra').detail()
    .describe(
      'Sum of `monto` of the change orders in `autorizado` whose `monto` is positive. ' +
        'Estimates can be authorized up to `monto + extra_autorizado`.',
      '80000.00'
    ),
  monto_estimado: computed(Amount, 'e.monto_estimado').detail()
    .describe('Sum of the authorized and paid estimates.', '100000.00'),
  por_estimar: computed(Amount, 't.monto - e.monto_estimado').detail()
    .describe(
      'Remaining amount: `monto − monto_estimado`. ' +
        'Can be negative while authorized estimates have extra work of a change order that is not signed.',
      '150000.00'
    )
}
