import { ValidationError } from '../../http/errors.ts'
import type { Condition, Readable } from '../declaration/resource.ts'

const mostTerms = 20

/** What `search=` adds to a list's conditions, one a term. @throws {ValidationError} under `search` for too many terms */
export function searchConditions ({ search }: Readable, text: string): Condition[] {
  const terms = [...new Set(text.split(/\s+/).filter(Boolean))]
  if (terms.length > mostTerms) throw new ValidationError([{ field: 'search', key: 'maxItems', values: { max_length: mostTerms } }])
  const somewhere = search.map(column => `strpos(${column}, $) > 0`).join(' or ')
  return terms.map(value => ({ sql: `(${somewhere})`, type: 'text', value, by: 'search_text', term: true, joins: true }))
}

/**
 * SQL for the relation `found` beside `q` and the company's `r`: `ids` of the records that meet the conditions, among those that the search index says
 * may have all the terms, or null where these are so many that it costs less to read the company's records.
 * @param terms SQL of each term, over `q`
 * @param conditions SQL of the joins and the conditions of all records, over `t` and `q`
 */
export function foundAmong (resource: Readable, terms: string[], conditions: string): string {
  const { name } = resource
  return `cross join lateral (
        select search.candidates('${name}', q.company, array[${terms.join(', ')}], greatest(250, r.${name} / 64)) as ids offset 0) candidates
      cross join lateral (
        select case when candidates.ids is not null then array(select t.id from ${withIds(resource, 'candidates')} ${conditions}) end as ids offset 0) found`
}

/** SQL for the records whose ids a relation has, as `t`; `offset 0` keeps the planner from reading them in the list's order, past all the others. */
export function withIds ({ name }: Readable, relation: string): string {
  return `(select t.* from ${name} t where t.company_id = q.company and t.id = any (${relation}.ids) offset 0) t`
}
