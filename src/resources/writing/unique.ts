import { keyedRow } from '../../database/turns/keyed-row.ts'
import { scopeKey } from '../declaration/children.ts'
import type { Resource } from '../declaration/resource.ts'

/** A field whose values are unique, in the company or within references. */
export interface UniqueField {
  field: string
  /** SQL over `q`: another record has the value. */
  taken: string
  /** SQL over `q` of the columns that are unique together. */
  key: string
}

/**
 * The unique fields of a resource.
 * @param others SQL condition that `o` is another record than `q`
 * @param isChanged whether a write changes a field. By default all are written.
 */
export function uniqueFields ({ name, unique, uniqueWithin }: Resource, others = 'true', isChanged: (field: string) => boolean = () => true): UniqueField[] {
  const inCompany = unique.filter(isChanged).map(field => ({
    field,
    taken: `exists ${keyedRow(field, { table: name, as: 'o', value: `q.${field}`, where: others })}`,
    key: `q.company, q.${field}`
  }))
  const within = Object.entries(uniqueWithin).filter(([field, columns]) => isChanged(field) || columns.some(({ column }) => isChanged(column.replace(/_id$/, ''))))
  return [...inCompany, ...within.map(([field, columns]) => {
    const keys = [...columns.map(column => [scopeKey('o.', column), scopeKey('q.', column)]), [`o.${field}`, `q.${field}`]]
    // A range and an order, as in `keyedRow`.
    return {
      field,
      taken: `exists (select from ${name} o where o.company_id = q.company and ${keys.map(([own, value]) => `${own} between ${value} and ${value}`).join(' and ')} and ${others}
        order by ${keys.map(([own]) => own).join(', ')} limit 1 offset 0)`,
      key: ['q.company', ...keys.map(([, value]) => value)].join(', ')
    }
  })]
}
