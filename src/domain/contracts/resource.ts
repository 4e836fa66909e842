import { sumTriggers } from '../../database/schema/triggers.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import { defineResource } from '../define.ts'
import { fields } from './fields.ts'
import { contractRules } from './rules.ts'

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
  order: (next, current) => current !== undefined && next.parent !== current.parent ? { group: 'moves', decides: true } : undefined,
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
