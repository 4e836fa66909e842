import { byIndex } from '../../database/by-index.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Constraint } from '../../resources/declaration/constraint.ts'
import type { fields } from './fields.ts'

/** The fields that all rows with one code share. */
const shared = ['unidad', 'precio_unitario', 'alzado'] as const

/** Rows of a contract with one code: the original one, and one of each change order. Each answer adds them up. */
const maxRowsOfClave = 100

/** SQL: the number of other rows with the code of `n`, up to the limit. */
const othersOfClave = byIndex(`(
      select count(*) from (
        select from conceptos k
        where k.company_id = n.company_id and k.contract_id = n.contract_id and k.clave = by_index(n.clave)
          and k.id is distinct from n.id
        limit ${maxRowsOfClave}) k)`)

/** SQL: the amount of the row after the write. */
const amount = 'round(n.cantidad * n.precio_unitario, 2)'

/** SQL over the contract of the row, `c`: its amount after the write of the row alone. */
const sum = `case c.monto_rows when 0 then 0 else c.monto end + ${amount} - coalesce(o.importe, 0)`

/** SQL: more than `sum` is authorized in the contract. A settled contract has another message. */
const authorizedAbove = (sum: string) => `exists (
        select from contract_sums s
        where s.company_id = n.company_id and s.contract_id = n.contract_id and not s.liquidado and s.autorizado - s.extra > ${sum})`

/** Rules of a concept that depend on other data of the company. */
export const conceptConstraints: Array<Constraint<keyof typeof fields>> = [
  ...shared.map((field): Constraint<keyof typeof fields> => ({
    field,
    key: 'differsFromClave',
    // `keep_claves` holds it for the three fields at once, because a statement can write several rows with a code.
    name: 'conceptos_differs',
    dependsOn: ['clave', field],
    sql: byIndex(`exists (
      select from (
        select k.id, k.${field} from conceptos k
        where k.company_id = n.company_id and k.contract_id = n.contract_id and k.clave = by_index(n.clave)) k
      where k.id is distinct from n.id and k.${field} <> n.${field})`)
  })),
  {
    field: 'contract',
    key: 'contractSettled',
    name: 'conceptos_contract_unsettled',
    only: 'new',
    held: 'statement',
    sql: 'exists (select from contract_sums s where s.company_id = n.company_id and s.contract_id = n.contract_id and s.liquidado)'
  },
  {
    field: 'clave',
    key: 'tooManyOfClave',
    values: { most: maxRowsOfClave },
    dependsOn: ['clave'],
    sql: `${othersOfClave} >= ${maxRowsOfClave}`
  },
  {
    field: 'cantidad',
    key: 'reduction',
    name: 'conceptos_reduction',
    only: 'changed',
    dependsOn: ['cantidad'],
    held: 'statement',
    sql: 'n.cantidad < 0 and exists (select from generadores g where g.company_id = n.company_id and g.concepto_id = n.id offset 0)'
  },
  {
    field: 'cantidad',
    key: 'contractSettled',
    name: 'contracts_monto_settled',
    only: 'changed',
    raised: true,
    sql: `n.convenio_id is null and ${amount} <> o.importe and is_settled(n.company_id, n.contract_id)`
  },
  {
    field: 'cantidad',
    key: 'catalogueBelowAuthorized',
    name: 'contracts_authorized',
    // The first rows of a catalogue replace the amount of the contract. All of them together can be enough.
    raised: true,
    sql: `n.convenio_id is null and exists ${keyedRow('id', {
      table: 'contracts', as: 'c', company: 'n.company_id', value: 'n.contract_id', where: `${sum} < c.monto and ${authorizedAbove(sum)}`
    })}`
  },
  {
    field: 'precio_unitario',
    key: 'sumTooLarge',
    name: 'conceptos_precio_unitario_sum',
    only: 'changed',
    raised: true,
    // The amounts of the estimates that are not authorized.
    sql: `exists (
      select from (
        select l.estimate_id, l.importe, round(l.cantidad * n.precio_unitario, 2) as next from estimate_lines l
        where l.company_id = n.company_id and l.concepto_id = n.id
          and l.anterior is null and l.precio_unitario <> n.precio_unitario offset 0) l
      cross join lateral ${keyedRow('id', { table: 'estimates', as: 'e', company: 'n.company_id', value: 'l.estimate_id' })} e
      where abs(l.next) >= 1e16 or abs(e.monto + l.next - l.importe) >= 1e16)`
  }
]

const ofClave = 'over (partition by n.company_id, n.contract_id, n.clave order by n.i)'

/** SQL over the new rows of a statement, `n`: the row differs from an earlier one with its code, or is one too many. */
export const conceptClashes = [
  ...shared.map(field => `n.${field} <> first_value(n.${field}) ${ofClave}`),
  `row_number() ${ofClave} > 1 and row_number() ${ofClave} + ${othersOfClave} > ${maxRowsOfClave}`
].join(' or ')
