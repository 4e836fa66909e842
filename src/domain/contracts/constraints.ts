import { limits } from '../../config/limits.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Constraint } from '../../resources/declaration/constraint.ts'
import type { fields } from './fields.ts'

/** The ancestors of all parents in `resolved`, read once per statement and not once per record. */
const ancestors = 'contract_ancestors((select array_agg(company) from resolved), (select array_agg(parent_id) from resolved))'

/** SQL over `q`: the contract before the write meets a condition on its row, `c`. */
const before = (where: string) => `exists ${keyedRow('id', { table: 'contracts', as: 'c', value: 'q.self', where })}`

/** SQL over `q`: the sums of the contract, `s`, meet a condition. */
const hasSum = (where: string) => `exists (select from contract_sums s where s.company_id = q.company and s.contract_id = q.self and ${where})`

/** SQL over `q`: a change order of the contract is signed. */
const hasSigned = hasSum('s.firmados > 0')

/** SQL over `q`: a body gives another value than the one that signed change orders have set. */
const differsFromSigned = (column: string) => (
  `${hasSigned} and ${before(`c.${column} is not null and c.${column} is distinct from q.${column}`)}`)

/** What a settled contract keeps: its amounts, percentages, days and currency. */
const settledFields = [
  'monto', 'moneda', 'fecha_inicio', 'fecha_fin', 'anticipo_porcentaje', 'retencion_porcentaje', 'iva_porcentaje', 'derechos_porcentaje', 'retencion_antes_iva'
] as const

const isCycle = `q.self is not null and (q.company, q.parent_id, q.self) in (select company, id, ancestor from ${ancestors})`

/** SQL over `q`: the levels of the tree below the contract, with its own. */
const levels = `coalesce((
        select l.levels from contract_levels l where l.company_id = q.company and l.contract_id = q.self)::int, 1)`

/** Constraints of a contract that depend on other data of the company. */
export const contractConstraints: Array<Constraint<keyof typeof fields>> = [
  { field: 'parent', key: 'parentCycle', name: 'contracts_parent_acyclic', only: 'changed', dependsOn: ['parent'], sql: isCycle },
  {
    field: 'parent',
    key: 'parentDepth',
    name: 'contracts_parent_depth',
    dependsOn: ['parent'],
    // A contract at level `depth` has no place for `n` more levels. Older trees can be deeper. Their contracts can change with the same parent.
    sql: `(q.company, q.parent_id, ${levels}) in (
        select a.company, a.id, n from (select company, id, max(step) as depth from ${ancestors} group by company, id) a
        cross join generate_series(${limits.bodies.treeLevels + 1} - a.depth, ${limits.bodies.treeLevels + 1}) n)
      and (${isCycle}) is not true
      and not ${before('c.parent_id = q.parent_id')}`
  },
  ...settledFields.map((field): Constraint<keyof typeof fields> => ({
    field,
    key: 'contractSettled',
    name: `contracts_${field}_settled`,
    only: 'changed',
    dependsOn: [field],
    sql: `${hasSum('s.liquidado')} and ${before(`c.${field} is distinct from q.${field}`)}`
  })),
  {
    field: 'monto',
    key: 'belowAuthorized',
    name: 'contracts_authorized',
    only: 'changed',
    dependsOn: ['monto'],
    // Amounts of lines can add up to some cents more than the contract, which keeps its amount.
    sql: `${before('c.monto > q.monto')} and exceeds_contract(q.company, q.self, q.monto, 0) and not ${hasSigned}`
  },
  {
    field: 'monto',
    key: 'setByConvenios',
    name: 'contracts_monto_agreed',
    only: 'changed',
    dependsOn: ['monto'],
    sql: differsFromSigned('monto')
  },
  {
    field: 'fecha_fin',
    key: 'setByConvenios',
    name: 'contracts_fecha_fin_agreed',
    only: 'changed',
    dependsOn: ['fecha_fin'],
    sql: differsFromSigned('fecha_fin')
  },
  {
    field: 'moneda',
    key: 'currencyInUse',
    name: 'contracts_currency',
    only: 'changed',
    dependsOn: ['moneda'],
    sql: `${before('c.moneda <> q.moneda')} and ${hasSum('s.vivas > 0')}`
  },
  {
    field: 'estado',
    key: 'contractSettled',
    name: 'contracts_not_settled',
    only: 'changed',
    dependsOn: ['estado'],
    sql: `q.estado <> 'terminado' and ${hasSum('s.liquidado')}`
  },
  {
    field: 'estado',
    key: 'contractAuthorized',
    name: 'contracts_without_authorization',
    only: 'changed',
    dependsOn: ['estado'],
    // A contract that was cancelled before this rule stays so.
    sql: `q.estado = 'cancelado' and not ${before("c.estado = 'cancelado'")} and exists (
      select from estimates e where e.company_id = q.company and e.contract_id = q.self and e.neto is not null offset 0)`
  }
]
