import { Type } from '@sinclair/typebox'
import { contrapartes } from '../contrapartes/resource.ts'
import type { ValuesOf } from '../../resources/declaration/declare.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { defineResource } from '../define.ts'
import { money } from '../../resources/declaration/decimals.ts'
import { choice, computed, day, percentage, reference, text } from '../../resources/declaration/fields.ts'
import { Id } from '../../resources/declaration/schemas.ts'
import { sumTriggers } from '../../database/schema/triggers.ts'
import { contractRules } from './rules.ts'

/** The states of a contract. */
const states = ['vigente', 'suspendido', 'terminado', 'cancelado'] as const

/** The currencies of contracts, by ISO 4217 code. */
export const currencies = ['MXN', 'USD', 'EUR'] as const

/** Sums in currencies other than the contract's own, by currency. */
export const OtherCurrencies = Type.Object(
  Object.fromEntries(currencies.toSorted().map(currency => [currency, Type.Optional(Type.String())])),
  { additionalProperties: false, examples: [{ USD: '12000.00' }] })

const parties = 'Cimentaciones Profundas del Bajío, S.A. de C.V.'

const fields = {
  folio: text(64).required().unique().collate('C').orderable({ indexed: true })
    .describe('Folio: the number of the contract, unique in the company.', 'ON-2026-001')
    .describeInput({ examples: ['ON-2026-117'] })
    .filterable('Contracts with exactly this folio.', 'ON-2026-001'),
  contraparte: reference(contrapartes, 'nombre').nullable().from('p.nombre')
    .orderable({ sql: 'p.nombre_orden', type: 'text', by: 'sort_text', joins: true })
    .describe('Name of the counterparty.', parties)
    .describeInput({ description: 'Id or exact name of the counterparty.' })
    .filterable('Id or exact name of the counterparty, or `null` for contracts without one. Digits count as an id.', parties)
    .filterableByName('contraparte_nombre', 'Exact name of the counterparty, even if it consists of digits or is `null`.', parties),
  contraparte_id: computed(Id, 't.contraparte_id').nullable()
    .describe('Id of the counterparty.'),
  monto: money().default('0.00').orderable()
    .describe('Amount of the contract.')
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
    .describe('Last day, not before `fecha_inicio`.', '2026-12-31'),
  anticipo_porcentaje: percentage().default('0.00')
    .describe('Advance payment, in percent of the amount.', '10.00'),
  retencion_porcentaje: percentage().default('0.00')
    .describe('Retention on each estimate, in percent.', '5.00'),
  iva_porcentaje: percentage().default('16.00')
    .describe('Value added tax (IVA), in percent.'),
  estado: choice(states).default('vigente').orderable()
    .describe('State. `vigente` and `suspendido` change into each other and into `terminado` or `cancelado`, which are final.')
    .filterable('Contracts in this state.'),
  descripcion: text(2000).default('').detail()
    .describe('Scope of the contract.', 'Cimentación y estructura'),
  hijos: computed(Type.Integer({ minimum: 0 }), 's.hijos').detail()
    .describe('Number of direct subcontracts.', 2),
  monto_subcontratado: computed(Type.String(), 's.monto_subcontratado').detail()
    .describe("Sum of the direct subcontracts in the contract's currency. Can have more digits than other amounts.", '250000.00'),
  otras_monedas: computed(Type.Unsafe<Record<string, string>>(OtherCurrencies), 's.otras_monedas').detail()
    .describe('Sums of the direct subcontracts in other currencies, by currency.'),
  monto_estimado: computed(Type.String(), 'e.monto_estimado').detail()
    .describe('Sum of the authorized and paid estimates.', '100000.00'),
  por_estimar: computed(Type.String(), 't.monto - e.monto_estimado').detail()
    .describe('Remaining amount: `monto − monto_estimado`.', '150000.00')
}

/** Values of a contract's fields. */
export type ContractValues = ValuesOf<typeof fields>

const itsCounterparty = 'p.company_id = t.company_id and p.id = t.contraparte_id'

/** The ancestors of all parents in `resolved`, read once per statement and not once per record. */
const ancestors = 'contract_ancestors((select array_agg(company) from resolved), (select array_agg(parent_id) from resolved))'

const isCycle = `q.self is not null and (q.company, q.parent_id, q.self) in (select company, id, ancestor from ${ancestors})`

/** Contracts: a tree by `parent`, each with a counterparty. */
export const contracts = defineResource({
  name: 'contracts',
  title: 'Contract',
  one: 'a contract',
  many: 'contracts',
  about: 'Contracts and their subcontracts',
  spanish: { one: 'un contrato', many: 'contratos' },
  feed: 'always',
  fields,
  isLarge: true,
  search: { columns: ['folio', 'descripcion'], others: ['p.nombre_busqueda'], reference: 'contraparte' },
  joins: `left join lateral ${keyedRow('id', { table: 'contrapartes', as: 'p', select: 'p.nombre, p.nombre_orden', company: 't.company_id', value: 't.contraparte_id' })} p on true`,
  filterJoins: `left join contrapartes p on ${itsCounterparty}`,
  detailJoins: `cross join lateral (
    select coalesce(sum(h.hijos), 0)::int as hijos, coalesce(sum(h.monto) filter (where h.moneda = t.moneda), 0.00) as monto_subcontratado,
      coalesce(json_object_agg(h.moneda, h.monto::text order by h.moneda) filter (where h.moneda <> t.moneda), '{}') as otras_monedas
    from subcontract_sums h where h.company_id = t.company_id and h.parent_id = t.id and h.hijos > 0) s
    cross join lateral (
      select coalesce(sum(e.autorizado), 0.00) as monto_estimado from contract_sums e where e.company_id = t.company_id and e.contract_id = t.id) e`,
  table: {
    checks: [{ name: 'contracts_fechas_check', expression: 'fecha_fin >= fecha_inicio', field: 'fecha_fin', key: 'endBeforeStart' }],
    indexes: [
      { name: 'contracts_mains_index', properties: ['company', 'id'], where: 'parent_id is null' }
    ],
    triggers: {
      keep_authorized: { fires: 'before update of monto', when: 'new.monto < old.monto' },
      ...sumTriggers('keep_subcontract_sums'),
      keep_currency: { fires: 'before update of moneda', when: 'new.moneda <> old.moneda' },
      place_contracts: { fires: 'after insert', rows: 'new table as new_rows' },
      move_contract: { fires: 'after update of parent_id', when: 'new.parent_id is distinct from old.parent_id' },
      leave_contract: { fires: 'after delete', when: 'old.parent_id is not null' }
    }
  },
  constraints: [{
    field: 'parent',
    key: 'parentCycle',
    name: 'contracts_parent_acyclic',
    dependsOn: ['parent'],
    sql: isCycle
  }, {
    field: 'parent',
    key: 'parentDepth',
    name: 'contracts_parent_depth',
    dependsOn: ['parent'],
    // A contract at level `depth` has no place for `n` more levels. Older trees can be deeper. Their contracts can change with the same parent.
    sql: `(q.company, q.parent_id, coalesce((select l.levels from contract_levels l where l.company_id = q.company and l.contract_id = q.self)::int, 1)) in (
        select a.company, a.id, n from (select company, id, max(step) as depth from ${ancestors} group by company, id) a cross join generate_series(51 - a.depth, 51) n)
      and (${isCycle}) is not true
      and not exists ${keyedRow('id', { table: 'contracts', as: 'c', value: 'q.self', where: 'c.parent_id = q.parent_id' })}`
  }, {
    field: 'monto',
    key: 'belowAuthorized',
    name: 'contracts_authorized',
    dependsOn: ['monto'],
    sql: 'q.self is not null and exceeds_contract(q.company, q.self, q.monto, 0)'
  }, {
    field: 'moneda',
    key: 'currencyInUse',
    name: 'contracts_currency',
    dependsOn: ['moneda'],
    sql: `exists ${keyedRow('id', { table: 'contracts', as: 'c', value: 'q.self', where: 'c.moneda <> q.moneda' })}
      and exists (select from contract_sums s where s.company_id = q.company and s.contract_id = q.self and s.vivas > 0)`
  }],
  // A move can put a contract below one that an earlier item moves.
  order: (next, current) => current !== undefined && next['parent'] !== current['parent'] ? { group: 'moves', decides: true } : undefined,
  rules: contractRules,
  routes: { remove: { description: 'Refused with 409 if the contract has subcontracts or estimates; the message has their numbers.' } },
  alsoShown: ['children', 'monto_total', 'otras_monedas'],
  examples: {
    create: {
      folio: 'ON-2026-007',
      contraparte: 'Inmobiliaria Los Encinos, S.A. de C.V.',
      descripcion: 'Estacionamiento de tres niveles',
      monto: '12500000.00',
      moneda: 'MXN',
      fecha_inicio: '2026-03-01',
      fecha_fin: '2026-12-31',
      anticipo_porcentaje: '10.00',
      retencion_porcentaje: '5.00',
      iva_porcentaje: '16.00',
      external_id: 'ERP-4711'
    },
    patch: { descripcion: 'Hospital general de 120 camas, primera etapa', fecha_fin: '2027-09-30' }
  }
})
