import { registered } from '../../../src/domain/resources.ts'
import { wrongSumsQuery } from '../../support/wrong-sums.ts'
import type { Psql } from './psql.ts'

const resources = registered.map(({ name }) => name)
const links = registered.flatMap(({ links }) => links)
/** The resources whose records belong to a contract. */
const ofContract = links.filter(({ column }) => column === 'contract_id').map(({ from }) => from)
/** The fields that number the records of a parent. */
const numbered = registered.flatMap(({ name, fields }) => Object.entries(fields).flatMap(([number, { spec: { numberedWithin: parent, numberedApart: apart, numberedBy: by = [] } }]) =>
  parent === undefined ? [] : [{ name, number, series: [`${parent}_id`, ...by, ...apart === undefined ? [] : [apart]].join(', ') }]))

/** The purge keeps the change log for a week. */
const whole = "changed_at > clock_timestamp() - interval '7 days'"

/** SQL of the revisions of companies, with their times. One without entries in the change log has a row of its own. */
const logged = `(
      select company_id, revision, changed_at from changes
      union all
      select company_id, revision, stamp_time(stamp) from purged_revisions)`

/** SQL of the quantities of each code of a contract: in force, and in authorized estimates. */
const quantities = `quantities as (
      select k.company_id, k.contract_id, k.clave, bool_or(k.alzado) as alzado, coalesce(sum(e.cantidad), 0) as executed,
        coalesce(sum(k.cantidad) filter (
          where k.convenio_id is null or v.estado = 'firmado' or (v.estado = 'autorizado' and k.cantidad > 0)), 0) as agreed
      from conceptos k
      left join convenios v on v.id = k.convenio_id
      left join (
        select g.concepto_id, sum(g.cantidad) as cantidad from generadores g join estimates e on e.id = g.estimate_id
        where e.neto is not null group by 1) e on e.concepto_id = k.id
      group by 1, 2, 3)`

/** Only lines within their quantities can be above the ceiling, by cents of rounding. A signed reduction without rows lowers no quantity. */
const ceilingQuery = `
    with ${quantities},
    used as (
      select contract_id, sum(monto) as monto, bool_and(lineas > 0 or monto = 0) as of_lines
      from estimates where estado in ('autorizada', 'pagada') group by 1),
    extra as (select contract_id, sum(monto) as monto from convenios where estado = 'autorizado' and monto > 0 group by 1)
    select c.id from contracts c join used u on u.contract_id = c.id left join extra x on x.contract_id = c.id
    where u.monto > c.monto + coalesce(x.monto, 0)
      and not (u.of_lines and not exists (select from quantities q where q.contract_id = c.id and q.executed > q.agreed)
        and not exists (select from convenios v where v.contract_id = c.id and v.estado = 'firmado' and v.monto < 0 and v.monto_rows = 0))`

const rowsQuery = resources.map(name => `select '${name}' as resource, id, company_id, to_jsonb(x) as row from ${name} x`).join(' union all ')

/**
 * The history of each record replays to its present values: each entry begins with the values of the one before, and the last one of a record
 * that exists has its values. Every record that came or went since the first entry has one for that.
 */
const historyQuery = `
    with records as (${rowsQuery}),
    entries as (
      select h.company_id, h.resource, h.record_id, h.id, h.operation, f.key,
        case h.operation when 'update' then f.value -> 0 when 'delete' then f.value end as before,
        case h.operation when 'update' then f.value -> 1 when 'insert' then f.value end as after
      from history h cross join lateral jsonb_each(h.fields) f where h.resource = any (array['${resources.join("', '")}'])),
    steps as (
      select e.*, lag(e.after) over w as former, lead(e.id) over w is null as is_last
      from entries e window w as (partition by e.company_id, e.resource, e.record_id, e.key order by e.id))
    select s.resource, s.record_id, s.key from steps s where s.operation <> 'insert' and s.former is distinct from s.before and s.former is not null
    union all
    select s.resource, s.record_id, s.key from steps s
    left join records r on r.resource = s.resource and r.company_id = s.company_id and r.id = s.record_id
    where s.is_last and (case s.operation when 'delete' then r.id is not null else r.id is null or r.row -> s.key is distinct from s.after end)
    union all
    select c.resource, c.record_id, c.operation from changes c
    where c.operation <> 'update' and c.changed_at > (select min(h.at) from history h where h.company_id = c.company_id)
      and not exists (
        select from history h
        where h.company_id = c.company_id and h.resource = c.resource and h.record_id = c.record_id and h.operation = c.operation)`

/** Rules that hold in every database, by name: a query that returns the violations. */
const rules: Record<string, string> = {
  'a counter equals the number of records': `
    select r.company_id from company_revisions r
    where ${resources.map(name => `r.${name} <> (select count(*) from ${name} x where x.company_id = r.company_id)`).join(' or ')}`,
  'a revision equals that of the last change': `
    select r.company_id, r.revision from company_revisions r
    where r.revision <> (select coalesce(max(revision), 0) from ${logged} c where c.company_id = r.company_id)
      and exists (select from ${logged} c where c.company_id = r.company_id and c.${whole})`,
  'revisions have no gaps': `
    select company_id from ${logged} c where ${whole} group by company_id having max(revision) - min(revision) + 1 <> count(distinct revision)`,
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
  'the history matches the records': historyQuery,
  'numbers have no gaps': numbered.map(({ name, number, series }) => `
    select '${name}' as resource, (${series})::text as series from ${name} where ${number} is not null
    group by ${series} having max(${number}) <> count(*) or min(${number}) <> 1`).join(' union all '),
  'no contract has more authorized than its ceiling': ceilingQuery,
  'no lump sum has more estimated than its quantity': `
    with ${quantities}
    select contract_id, clave from quantities where alzado and executed > agreed`,
  'payments have the sign of their estimate, and are at most what is due': `
    select id from estimates
    where (pagado <> 0 and (neto is null or sign(pagado) <> sign(neto) or abs(pagado) > abs(neto))) or (estado = 'pagada' and pagado <> neto)`,
  'a closed contract gets no new estimate': `
    with of as (select company_id, resource, record_id, min(revision) as first, max(revision) as last from changes group by company_id, resource, record_id)
    select e.id from estimates e
    join contracts c on c.company_id = e.company_id and c.id = e.contract_id and c.estado in ('terminado', 'cancelado')
    join of made on made.company_id = e.company_id and made.resource = 'estimates' and made.record_id = e.id
    join of closed on closed.company_id = e.company_id and closed.resource = 'contracts' and closed.record_id = c.id
    join changes i on i.company_id = e.company_id and i.revision = made.first and i.resource = 'estimates' and i.record_id = e.id and i.operation = 'insert'
    where made.first > closed.last and (c.estado = 'cancelado' or e.tipo <> 'finiquito')`,
  'one finiquito of a contract waits': `
    select contract_id from estimates where tipo = 'finiquito' and estado in ('borrador', 'enviada') group by contract_id having count(*) > 1`,
  'a settled contract is terminado, and nothing waits but finiquitos without work': `
    select s.contract_id from (select distinct contract_id from estimates where tipo = 'finiquito' and neto is not null) s
    join contracts c on c.id = s.contract_id
    where c.estado <> 'terminado'
      or exists (
        select from estimates e
        where e.contract_id = c.id and e.estado in ('borrador', 'enviada') and (e.tipo <> 'finiquito' or e.monto <> 0 or e.lineas > 0))
      or exists (select from convenios v where v.contract_id = c.id and v.estado = 'autorizado')`,
  'a delivered advance is repaid at most once, and exactly with a finiquito': `
    select contract_id from estimates where neto is not null group by contract_id
    having sum(anticipo) > 0 and (
      sum(amortizacion) <> sum(anticipo) and bool_or(tipo = 'finiquito')
      -- Without a document, the agreed advance counts.
      or sum(amortizacion) > sum(anticipo)
        and min(autorizacion) filter (where amortizacion > 0) > max(autorizacion) filter (where tipo = 'anticipo'))`,
  'a cancelled contract has nothing authorized': `
    select c.id from contracts c where c.estado = 'cancelado' and exists (select from estimates e where e.company_id = c.company_id and e.contract_id = c.id and e.neto is not null)`,
  'authorizations of a contract have different positions': `
    select contract_id from estimates where neto is not null group by contract_id having count(distinct autorizacion) <> count(*)`,
  'sums equal those of the records': wrongSumsQuery,
  'no contract is under itself': `
    with recursive above (start, id, parent_id) as (
      select id, id, parent_id from contracts where parent_id is not null
      union
      select a.start, c.id, c.parent_id from above a join contracts c on c.id = a.parent_id)
    select start from above where parent_id = start`,
  'no reference leaves its company': links.map(({ from, column, to }) => `
    select '${from}' as resource, x.id from ${from} x join ${to} p on p.id = x.${column} where p.company_id <> x.company_id`).join(' union all '),
  'no reference leaves its contract': links.filter(({ from, to }) => ofContract.includes(from) && ofContract.includes(to)).map(({ from, column, to }) => `
    select '${from}' as resource, x.id from ${from} x join ${to} p on p.id = x.${column} where p.contract_id <> x.contract_id`).join(' union all '),
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
