import { limits } from '../../config/limits.ts'
import type { Constraint } from '../../resources/declaration/constraint.ts'
import type { fields } from './fields.ts'

/** The ancestors of all parents in `resolved`, read once per statement and not once per record. */
const ancestors = 'contract_ancestors((select array_agg(company) from resolved), (select array_agg(parent_id) from resolved))'

/** SQL: the sums of the contract, `s`, meet a condition. */
const hasSum = (where: string) =>
  `exists (select from contract_sums s where s.company_id = n.company_id and s.contract_id = n.id and ${where})`

/** SQL: a caller changes what signed change orders have set. Their signature changes it by a trigger, which has a depth. */
const isAgreed = `pg_trigger_depth() < 2 and ${hasSum('s.firmados > 0')}`

/** What a settled contract keeps: its amounts, percentages, days and currency. The rows of its catalogue would change `monto` too. */
const settledFields = [
  'monto', 'moneda', 'fecha_inicio', 'fecha_fin', 'anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje', 'derechos_porcentaje',
  'retencion_antes_iva'
] as const

const isCycle = `(n.company_id, n.parent_id, n.id) in (select company, id, ancestor from ${ancestors})`

/** SQL: the levels of the tree below a changed contract, with its own. */
const levels = `coalesce((
        select l.levels from contract_levels l where l.company_id = n.company_id and l.contract_id = n.id)::int, 1)`

/**
 * SQL: under its parent, the tree would have more levels than allowed.
 * @param height SQL: the levels of the contract and of the tree below it
 */
const isTooDeep = (height: string) => `(n.company_id, n.parent_id, ${height}) in (
        select a.company, a.id, more from (select company, id, max(step) as depth from ${ancestors} group by company, id) a
        cross join generate_series(${limits.bodies.treeLevels + 1} - a.depth, ${limits.bodies.treeLevels + 1}) more)`

const depth = { field: 'parent', key: 'parentDepth', name: 'contracts_parent_depth', dependsOn: ['parent'] } as const

/** Rules about the place in the tree. `place_contracts` and `move_contract` hold them, because a statement can move several contracts. */
const placeConstraints: Array<Constraint<keyof typeof fields>> = [
  { field: 'parent', key: 'parentCycle', name: 'contracts_parent_acyclic', only: 'changed', dependsOn: ['parent'], sql: isCycle },
  { ...depth, only: 'new', sql: isTooDeep('1') },
  // Older trees can be deeper. Their contracts can change with the same parent.
  { ...depth, only: 'changed', sql: `${isTooDeep(levels)} and (${isCycle}) is not true and o.parent_id is distinct from n.parent_id` }
]

/** Rules about a change of a contract with other data of the company. */
const changes: Array<Omit<Constraint<keyof typeof fields>, 'only' | 'held' | 'dependsOn'> & { field: keyof typeof fields }> = [
  ...settledFields.map(field => ({
    field,
    key: 'contractSettled' as const,
    name: `contracts_${field}_settled`,
    sql: `o.${field} is distinct from n.${field} and ${hasSum('s.liquidado')}`
  })),
  {
    field: 'monto',
    key: 'setByConvenios',
    name: 'contracts_monto_agreed',
    sql: `o.monto <> n.monto and ${isAgreed}`
  },
  {
    field: 'fecha_fin',
    key: 'setByConvenios',
    name: 'contracts_fecha_fin_agreed',
    sql: `o.fecha_fin is not null and o.fecha_fin is distinct from n.fecha_fin and ${isAgreed}`
  },
  {
    field: 'monto',
    key: 'belowAuthorized',
    name: 'contracts_authorized',
    // Amounts of lines can add up to some cents more than the contract, which keeps its amount.
    sql: `n.monto < o.monto and exceeds_contract(n.company_id, n.id, n.monto, 0)
      and not (${isAgreed}) and not is_rounding(n.company_id, n.id, null)`
  },
  {
    field: 'moneda',
    key: 'currencyInUse',
    name: 'contracts_currency',
    sql: `o.moneda <> n.moneda and ${hasSum('s.vivas > 0')}`
  },
  {
    field: 'estado',
    key: 'contractSettled',
    name: 'contracts_not_settled',
    sql: `n.estado <> 'terminado' and ${hasSum('s.liquidado')}`
  },
  {
    field: 'estado',
    key: 'contractAuthorized',
    name: 'contracts_without_authorization',
    // A contract that was cancelled before this rule stays so.
    sql: `n.estado = 'cancelado' and o.estado <> 'cancelado' and exists (
      select from estimates e where e.company_id = n.company_id and e.contract_id = n.id and e.neto is not null offset 0)`
  }
]

/** Rules of a contract that depend on other data of the company. */
export const contractConstraints: Array<Constraint<keyof typeof fields>> = [
  ...placeConstraints,
  ...changes.map((rule): Constraint<keyof typeof fields> => ({ ...rule, only: 'changed', dependsOn: [rule.field], held: 'statement' }))
]
