import { unsorted } from '../../database/turns/keyed-row.ts'
import type { Constraint } from '../../resources/declaration/constraint.ts'
import type { fields } from './fields.ts'

/** The fields that all rows with one code share. */
const shared = ['unidad', 'precio_unitario', 'alzado'] as const

/** Rows of a contract with one code: the original one, and one of each change order. Each answer adds them up. */
const maxRowsOfClave = 100

/** SQL: the number of other rows with the code of `q`, up to the limit. */
const othersOfClave = `(
      select count(*) from (
        select from conceptos k
        where k.company_id = q.company and k.contract_id = q.contract_id and k.clave between q.clave and q.clave
          and k.id is distinct from q.self
        order by k.clave, ${unsorted} limit ${maxRowsOfClave}) k)`

/** Constraints of a concept that depend on other data of the company. */
export const conceptConstraints: Array<Constraint<keyof typeof fields>> = [
  ...shared.map((field): Constraint<keyof typeof fields> => ({
    field,
    key: 'differsFromClave',
    dependsOn: ['clave', field],
    // The range and the order leave only the index by code, as in `rowWithKey`.
    sql: `exists (
      select from (
        select k.id, k.${field} from conceptos k
        where k.company_id = q.company and k.contract_id = q.contract_id and k.clave between q.clave and q.clave
        order by k.clave, ${unsorted} offset 0) k
      where k.id is distinct from q.self and k.${field} <> q.${field})`
  })),
  {
    field: 'contract',
    key: 'contractSettled',
    name: 'conceptos_contract_unsettled',
    only: 'new',
    sql: 'exists (select from contract_sums s where s.company_id = q.company and s.contract_id = q.contract_id and s.liquidado)'
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
    sql: 'q.cantidad < 0 and exists (select from generadores g where g.company_id = q.company and g.concepto_id = q.self offset 0)'
  }
]

const ofClave = 'over (partition by q.company, q.contract_id, q.clave order by q.i)'

/** SQL over the new rows `q` of a statement: the row differs from an earlier one with its code, or is one too many. */
export const conceptClashes = [
  ...shared.map(field => `q.${field} <> first_value(q.${field}) ${ofClave}`),
  `row_number() ${ofClave} > 1 and row_number() ${ofClave} + ${othersOfClave.replaceAll('q.self', 'null')} > ${maxRowsOfClave}`
].join(' or ')
