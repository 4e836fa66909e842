import { sumTriggers } from '../../database/schema/triggers.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { defineResource } from '../define.ts'
import { contractConstraints } from './constraints.ts'
import { fields } from './fields.ts'
import { contractDemands, contractRules, contractStates } from './rules.ts'

const counterparty = keyedRow('id', {
  table: 'contrapartes', as: 'p', select: 'p.nombre, p.nombre_orden', company: 't.company_id', value: 't.contraparte_id'
})
const itsCounterparty = 'p.company_id = t.company_id and p.id = t.contraparte_id'

/** The sums of the direct subcontracts, `s`. */
const subcontracted = `cross join lateral (
      select coalesce(sum(h.hijos), 0)::int as hijos,
        coalesce(sum(h.monto) filter (where h.moneda = t.moneda), 0.00) as monto_subcontratado,
        coalesce(json_object_agg(h.moneda, h.monto::text order by h.moneda) filter (where h.moneda <> t.moneda), '{}') as otras_monedas
      from subcontract_sums h where h.company_id = t.company_id and h.parent_id = t.id and h.hijos > 0) s`

/** The sums of estimates and change orders, `e`. */
const billed = `cross join lateral (
      select coalesce(sum(e.autorizado), 0.00) as monto_estimado, coalesce(sum(e.convenios), 0.00) as convenios,
        coalesce(sum(e.dias), 0)::int as dias, coalesce(sum(e.extra), 0.00) as extra
      from contract_sums e where e.company_id = t.company_id and e.contract_id = t.id) e`

/** Contracts: a tree by `parent`, each with a counterparty. */
export const contracts = defineResource({
  name: 'contracts',
  title: 'Contract',
  one: 'a contract',
  many: 'contracts',
  about: 'Contracts and their subcontracts',
  spanish: { one: 'un contrato', many: 'contratos' },
  feed: 'always',
  feedRoot: {
    leftOut: 'Other contracts, even subcontracts, and their records are left out.',
    otherCursor: 'cursorContracts',
    examples: [['57', '61']]
  },
  fields,
  isLarge: true,
  search: { columns: ['folio', 'descripcion'], others: ['p.nombre_busqueda'], reference: 'contraparte' },
  joins: `left join lateral ${counterparty} p on true`,
  filterJoins: `left join contrapartes p on ${itsCounterparty}`,
  detailJoins: `${subcontracted} ${billed}`,
  totals: { of: ['monto'], currency: 'moneda' },
  table: {
    checks: [{ name: 'contracts_fechas_check', expression: 'fecha_fin >= fecha_inicio', field: 'fecha_fin', key: 'endBeforeStart' }],
    indexes: [
      { name: 'contracts_mains_index', properties: ['company', 'id'], where: 'parent_id is null' }
    ],
    triggers: {
      ...sumTriggers('keep_subcontract_sums'),
      place_contracts: { fires: 'after insert', rows: 'new table as new_rows' },
      move_contract: { fires: 'after update of parent_id', when: 'new.parent_id is distinct from old.parent_id' },
      leave_contract: { fires: 'after delete', when: 'old.parent_id is not null' }
    }
  },
  constraints: contractConstraints,
  // A move can put a contract below one that an earlier item moves.
  order: (next, current) => current !== undefined && next.parent !== current.parent ? { group: 'moves', decides: true } : undefined,
  states: contractStates,
  rules: contractRules,
  demands: contractDemands,
  routes: {
    update: { description: 'A change from `terminado` to `vigente` needs level 3 Director, 4 Corporativo or 6 Superusuario.' },
    remove: {
      description: 'Refused with 409 if the contract has subcontracts, estimates, concepts or change orders; the message has their numbers.'
    }
  },
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
