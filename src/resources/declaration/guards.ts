import type { Triggers } from '../../database/schema/triggers.ts'
import { conjuncts } from './conjuncts.ts'
import { ruleSql, type Constraint, type RuleRecords } from './constraint.ts'

/** A rule that a trigger holds. */
type HeldRule = Constraint & Required<Pick<Constraint, 'name' | 'held'>>

/** The rules that an event can break. */
type Broken = (event: 'insert' | 'update') => HeldRule[]

/** As in functions by hand: an index is used also in a table without statistics (decision 46). */
const settings = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'

/**
 * The triggers that hold the rules of a table, with the functions that they call (decision 74).
 * @param columnOf the column of a field
 * @throws {Error} for a rule without a name, or for a rule about changes that does not say on which fields it depends
 */
export function guardTriggers (table: string, rules: readonly Constraint[], columnOf: (field: string) => string): Triggers {
  const held = rules.filter((rule): rule is HeldRule => rule.held !== undefined)
    .map((rule): HeldRule => ({ ...rule, ...rule.dependsOn === undefined ? {} : { dependsOn: rule.dependsOn.map(columnOf) } }))
  const incomplete = held.find(({ name, only, dependsOn }) => name === undefined || (only !== 'new' && dependsOn === undefined))
  if (incomplete !== undefined) {
    throw new Error(`${table}: the rule ${incomplete.key} of ${incomplete.field} is held by the database, so it needs a name, and dependsOn for changes`)
  }
  const of = (kind: HeldRule['held']): Broken => (event) => {
    return held.filter(rule => rule.held === kind && rule.only !== (event === 'insert' ? 'changed' : 'new'))
  }
  return { ...rowGuards(table, of('row')), ...statementGuards(table, of('statement')) }
}

/** Before each row: after the triggers that copy its values and refuse changes of fixed ones, and before others that change sums. */
function rowGuards (table: string, broken: Broken): Triggers {
  const calls = `${table}_rules`
  const [added, changed] = [broken('insert'), broken('update')]
  const routine = functionOf(calls, `
  perform lock_company(new.company_id);
  if tg_op = 'INSERT' then${added.map(rule => refusal(rule, { ...row, before: () => 'null' })).join('')}
  else${changed.map(rule => `
    if ${columnsOf([rule]).map(differs).join(' or ')} then${refusal(rule, row)}
    end if;`).join('')}
  end if;
  return new;`)
  const when = columnsOf(changed).map(differs).join(' or ')
  return {
    ...added.length === 0 ? {} : { guard_insert: { fires: 'before insert', calls, routine } },
    ...changed.length === 0 ? {} : { guard_update: { fires: 'before update', when, calls, routine } }
  }
}

/** The rows of a row trigger. */
const row: RuleRecords = { id: 'new.id', after: column => `new.${column}`, before: column => `old.${column}` }

const differs = (column: string) => `new.${column} is distinct from old.${column}`

/** The columns on which rules depend. */
function columnsOf (rules: readonly HeldRule[]): string[] {
  return [...new Set(rules.flatMap(({ dependsOn = [] }) => dependsOn))]
}

/** After a statement, for all of its rows at once. What no row changes costs no query. */
function statementGuards (table: string, broken: Broken): Triggers {
  const calls = `${table}_rules_of_rows`
  const [added, changed] = [broken('insert'), broken('update')]
  const find = (rule: HeldRule, from: string, condition: string) => `
    select n.id into broken from ${from}
    where ${condition} limit 1;${raising({ ...rule, sql: 'broken is not null' }, { ...rows, id: 'broken' })}`
  const both = 'new_rows n join old_rows o on o.id = n.id'
  const columns = columnsOf(changed)
  const routine = functionOf(calls, `
  perform lock_companies(array(select distinct n.company_id from new_rows n));
  if tg_op = 'INSERT' then${added.map(rule => find(rule, 'new_rows n', ruleSql(rule.sql, { ...rows, before: () => 'null' }))).join('')}
  else${columns.length === 0
    ? ''
    : `
    select ${columns.map(column => `bool_or(n.${column} is distinct from o.${column}) as ${column}`).join(', ')} into changed from ${both};`}${
    changed.map((rule) => {
      const isChanged = columnsOf([rule]).map(column => `n.${column} is distinct from o.${column}`).join(' or ')
      return `
    if ${columnsOf([rule]).map(column => `changed.${column}`).join(' or ')} then${find(rule, both, `(${isChanged}) and (${ruleSql(rule.sql, rows)})`)}
    end if;`
    }).join('')}
  end if;
  return null;`, 'declare broken bigint; changed record;\n')
  return {
    ...added.length === 0 ? {} : { guard_rows_insert: { fires: 'after insert', rows: 'new table as new_rows', calls, routine } },
    ...changed.length === 0 ? {} : { guard_rows_update: { fires: 'after update', rows: 'old table as old_rows new table as new_rows', calls, routine } }
  }
}

/** The rows of a statement trigger. */
const rows: RuleRecords = { id: 'n.id', after: column => `n.${column}`, before: column => `o.${column}` }

/** A refusal that evaluates comparisons first: plpgsql takes a microsecond for them, and many times as long for a query or function. */
function refusal (rule: HeldRule, records: RuleRecords): string {
  const parts = conjuncts(rule.sql)
  const isCheap = (part: string) => !/\bselect\b|\w\s*\((?<!\b(?:in|any|and|or|not)\s*\()/.test(part)
  const cheap = parts.filter(isCheap)
  const rest = parts.filter(part => !isCheap(part))
  if (cheap.length === 0 || rest.length === 0) return raising(rule, records)
  return `
    if ${ruleSql(cheap.join(' and '), records)} then${raising({ ...rule, sql: rest.join(' and ') }, records)}
    end if;`
}

function raising ({ name, field, key, sql, detail }: HeldRule, records: RuleRecords): string {
  return `
    if (${ruleSql(sql, records)}) then
      raise exception '% of % %: ${key}', '${field}', tg_table_name, ${records.id}
        using errcode = 'check_violation', table = tg_table_name, constraint = '${name}'${detail === undefined ? '' : `, detail = ${ruleSql(detail, records)}`};
    end if;`
}

function functionOf (name: string, statements: string, declarations = ''): string {
  return `create or replace function ${name}() returns trigger
language plpgsql
${settings} as $$
${declarations}begin${statements}
end
$$;
`
}
