import { wrongSumsQuery } from '../../support/wrong-sums.ts'
import type { Psql } from './psql.ts'

const resources = ['contracts', 'contrapartes', 'estimates']

/** The purge keeps the change log for a week. */
const whole = "changed_at > clock_timestamp() - interval '7 days'"

/** Rules that hold in every database, by name: a query that returns the violations. */
const rules: Record<string, string> = {
  'a counter equals the number of records': `
    select r.company_id from company_revisions r
    where ${resources.map(name => `r.${name} <> (select count(*) from ${name} x where x.company_id = r.company_id)`).join(' or ')}`,
  'a revision equals that of the last change': `
    select r.company_id, r.revision from company_revisions r
    where r.revision <> (select coalesce(max(revision), 0) from changes c where c.company_id = r.company_id)
      and exists (select from changes c where c.company_id = r.company_id and c.${whole})`,
  'revisions have no gaps': `
    select company_id from changes where ${whole} group by company_id having max(revision) - min(revision) + 1 <> count(distinct revision)`,
  'the change log matches the records': `
    with last as (
      select distinct on (company_id, resource, record_id) company_id, resource, record_id, operation
      from changes order by company_id, resource, record_id, revision desc)
    ${resources.map(name => `
      select '${name}' as resource, coalesce(x.id, l.record_id) as id from ${name} x
      full join (select * from last where resource = '${name}') l on l.company_id = x.company_id and l.record_id = x.id
      where (x.id is null) <> (l.operation = 'delete') or l.record_id is null`).join(' union all ')}`,
  'the version of a record equals its number of changes': resources.map(name => `
      select '${name}' as resource, x.id, x.version from ${name} x
      left join (select company_id, record_id, count(*) as changes from changes where resource = '${name}' group by company_id, record_id) c on c.company_id = x.company_id and c.record_id = x.id
      where x.version <> coalesce(c.changes, 0) and x.created_at > clock_timestamp() - interval '7 days'`).join(' union all '),
  'estimate numbers have no gaps': `
    select contract_id from estimates group by contract_id having max(numero) <> count(*) or min(numero) <> 1`,
  'no contract has more authorized than its amount': `
    select c.id from contracts c join estimates e on e.company_id = c.company_id and e.contract_id = c.id and e.estado in ('autorizada', 'pagada')
    group by c.id, c.monto having sum(e.monto) > c.monto`,
  'a closed contract gets no new estimate': `
    with of as (select company_id, resource, record_id, min(revision) as first, max(revision) as last from changes group by company_id, resource, record_id)
    select e.id from estimates e
    join contracts c on c.company_id = e.company_id and c.id = e.contract_id and c.estado in ('terminado', 'cancelado')
    join of made on made.company_id = e.company_id and made.resource = 'estimates' and made.record_id = e.id
    join of closed on closed.company_id = e.company_id and closed.resource = 'contracts' and closed.record_id = c.id
    join changes i on i.company_id = e.company_id and i.revision = made.first and i.resource = 'estimates' and i.record_id = e.id and i.operation = 'insert'
    where made.first > closed.last`,
  'sums equal those of the records': wrongSumsQuery,
  'no contract is under itself': `
    with recursive above (start, id, parent_id) as (
      select id, id, parent_id from contracts where parent_id is not null
      union
      select a.start, c.id, c.parent_id from above a join contracts c on c.id = a.parent_id)
    select start from above where parent_id = start`,
  'no reference leaves its company': `
    select c.id from contracts c join contracts p on p.id = c.parent_id where p.company_id <> c.company_id
    union all select c.id from contracts c join contrapartes p on p.id = c.contraparte_id where p.company_id <> c.company_id
    union all select e.id from estimates e join contracts c on c.id = e.contract_id where c.company_id <> e.company_id`,
  'an Idempotency-Key has one answer': `
    select key from idempotency_keys group by user_id, company_id, route, key, reach having count(*) > 1`
}

/** Number of rules that {@link brokenRules} checks. */
export const ruleCount = Object.keys(rules).length

/** Checks all rules. @returns a line for each broken rule, with its first violation */
export async function brokenRules (psql: Psql): Promise<string[]> {
  const broken: string[] = []
  for (const [rule, statement] of Object.entries(rules)) {
    const found = await psql(statement)
    if (found.length > 0) broken.push(`broken rule: ${rule}: ${found.length}, such as ${JSON.stringify(found[0])}`)
  }
  return broken
}
