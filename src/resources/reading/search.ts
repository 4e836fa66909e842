import { limits } from '../../config/limits.ts'
import { ValidationError } from '../../http/errors.ts'
import type { Condition } from '../declaration/conditions.ts'
import type { Readable } from '../declaration/base-resource.ts'

const mostTerms = limits.queries.searchWords

/**
 * The conditions of `search=`, one per term. Terms of dots alone find every record.
 * @throws {ValidationError} under `search` for too many terms
 */
export function searchConditions ({ search }: Readable, text: string): Condition[] {
  const terms = [...new Set(text.split(/\s+/).filter(Boolean))]
  if (terms.length > mostTerms) throw new ValidationError([{ field: 'search', key: 'maxItems', values: { max_length: mostTerms } }])
  const somewhere = search.map(column => `strpos(search_form(${column}), $) > 0`).join(' or ')
  return terms.map(value => ({ sql: `(${somewhere})`, type: 'text', value, by: 'search_term($)', term: true, joins: true }))
}

/**
 * SQL of the relation `found` besides `q` and the company's `r`. `ids` are the records that meet the conditions, among the candidates of
 * the search index. It is null if there are so many candidates that reading the company's records is faster.
 * @param terms SQL of each term, over `q`
 * @param conditions SQL of the joins and of all conditions, over `t` and `q`
 */
export function foundAmong (resource: Readable, terms: string[], conditions: string): string {
  const { name } = resource
  const candidates = `search.candidates('${name}', q.company, array[${terms.join(', ')}], greatest(250, r.${name} / 64))`
  const matching = `array(select t.id from ${withIds(resource, 'candidates')} ${conditions})`
  return `cross join lateral (select ${candidates} as ids offset 0) candidates
      cross join lateral (select case when candidates.ids is not null then ${matching} end as ids offset 0) found`
}

/**
 * SQL of the records, as `t`, whose ids a relation contains. `offset 0` keeps the planner from scanning all records in the list's order.
 */
export function withIds ({ name }: Readable, relation: string): string {
  return `(select t.* from ${name} t where t.company_id = q.company and t.id = any (${relation}.ids) offset 0) t`
}
