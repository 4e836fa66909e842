import { isOurs } from '../../database/schema/ours.ts'
import { searchRole, type Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'
import { outside } from './rights.ts'

/** Expressions of `company_admitted` as PostgreSQL prints them: rows of admitted companies, and idempotency keys without a company. */
const admitted = new RegExp([
  /^(\(\(company_id IS NULL\) OR )?/,
  /\(\(company_id = ANY \(\(\s*SELECT \(NULLIF\(current_setting\('app\.companies'::text, true\), ''::text\)\)::integer\[\]/,
  /[^()]*\)::integer\[\]\)\) IS TRUE\)\)?$/
].map(({ source }) => source).join(''))

/** Checks row-level security: enabled, forced and with the migrations' policies on every table of business data. */
export async function examineWalls (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('policies')
  const tables = await query(`
    select c.relname::text as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      array(
        select unnest(array[pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)]) from pg_policy p
        where p.polrelid = c.oid and p.polname = 'company_admitted' and p.polcmd = '*' and p.polpermissive
          and p.polroles = '{0}') as admits,
      array(
        select p.polname::text from pg_policy p
        where p.polrelid = c.oid and p.polname <> 'company_admitted'
          and (p.polname <> 'search_candidates' or p.polroles <> array${searchRole})
        order by 1) as others
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${isOurs('pg_class', 'c.oid')} order by 1`)
  const business = tables.filter(({ name }) => !outside.includes(name))
  const findings = business.flatMap(({ name, enabled, forced, admits, others }) => [
    enabled ? [] : failed(`row-level security is disabled on ${name}: run \`alter table ${name} enable row level security\``),
    forced ? [] : failed(`the owner of ${name} bypasses its policies: run \`alter table ${name} force row level security\``),
    judgeAdmitted(admits)
      ? []
      : failed(`policy company_admitted of ${name} is missing or changed: restore it from the migration of the table`),
    others.map((other: string) => failed(`${name} has a policy that is in no migration: run \`drop policy ${other} on ${name}\``))
  ].flat())
  return findings.length > 0 ? findings : [ok(`enabled and forced on ${business.length} tables`)]
}

/** @param expressions the policy's expressions for reads and writes */
function judgeAdmitted (expressions: Array<string | null>): boolean {
  return expressions.length === 2 && expressions.every(expression => admitted.test(expression ?? ''))
}
