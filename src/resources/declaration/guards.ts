import type { Triggers } from '../../database/schema/triggers.ts'
import { conjuncts } from './conjuncts.ts'
import { ruleSql, type Constraint, type RuleRecords } from './constraint.ts'

/** A rule that a trigger holds. */
type HeldRule = Constraint & Required<Pick<Constraint, 'name' | 'held'>>

/** The rules that an event can break. */
type Broken = (event: 'insert' | 'update') => HeldRule[]

/** As in functions by hand: an index is used also in a table without statistics (decision 46). */
const settings = 'set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off'

/** The plan of a first statement with one row stays, so the rows before and after must be hashed (decision 46). */
const settingsOfRows = `${settings} set enable_nestloop = off set enable_mergejoin = off`

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
    throw new Error(
      `${table}: the rule ${incomplete.key} of ${incomplete.field} is held by the database, so it needs a name, and dependsOn for changes`
    )
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
  return new;`, settings)
  const when = columnsOf(changed).map(differs).join(' or ')
  return {
    ...added.length === 0 ? {} : { guard_insert: { fires: 'before insert', calls, routine } },
    ...changed.length === 0 ? {} : { guard_update: { fires: 'before update', when, calls, routine } }
  }
}

/** The rows of a row trigger. */
const row: RuleRecords = {
  id: 'new.id',
  caller: 'caller_of(tg_table_name, new.id)',
  after: column => `new.${column}`,
  before: column => `old.${column}`
}

const differs = (column: string) => `new.${column} is distinct from old.${column}`

/** The columns on which rules depend. */
function columnsOf (rules: readonly HeldRule[]): string[] {
  return [...new Set(rules.flatMap(({ dependsOn = [] }) => dependsOn))]
}

/** After a statement, for all of its rows at once. Rules of columns that no row changes are not evaluated. */
function statementGuards (table: string, broken: Broken): Triggers {
  const calls = `${table}_rules_of_rows`
  const [added, changed] = [broken('insert'), broken('update')]
  // A `case` keeps the order, and no subquery in it becomes a join.
  const find = (rule: HeldRule, from: string, first: string[], records: RuleRecords) => `
    select n.id into broken from ${from}
    where case when ${[...first, ...cheapOf(rule)].map(part => `(${ruleSql(part, records)})`).join(' and ') || 'true'}
      then ${ruleSql(restOf(rule), records)} end limit 1;${raising({ ...rule, sql: 'broken is not null' }, { ...rows, id: 'broken' })}`
  const both = 'new_rows n join old_rows o on o.id = n.id'
  const columns = columnsOf(changed)
  const routine = functionOf(calls, `
  perform lock_companies(array(select distinct n.company_id from new_rows n));
  if tg_op = 'INSERT' then${added.map(rule => find(rule, 'new_rows n', [], { ...rows, before: () => 'null' })).join('')}
  else${columns.length === 0
    ? ''
    : `
    select ${columns.map(column => `bool_or(n.${column} is distinct from o.${column}) as ${column}`).join(', ')}
    into changed from ${both};`}${
    changed.map((rule) => {
      const isChanged = columnsOf([rule]).map(column => `n.${column} is distinct from o.${column}`).join(' or ')
      return `
    if ${columnsOf([rule]).map(column => `changed.${column}`).join(' or ')} then${find(rule, both, [isChanged], rows)}
    end if;`
    }).join('')}
  end if;
  return null;`, settingsOfRows, 'declare broken bigint; changed record;\n')
  return {
    ...added.length === 0 ? {} : { guard_rows_insert: { fires: 'after insert', rows: 'new table as new_rows', calls, routine } },
    ...changed.length === 0
      ? {}
      : { guard_rows_update: { fires: 'after update', rows: 'old table as old_rows new table as new_rows', calls, routine } }
  }
}

/** The rows of a statement trigger. */
const rows: RuleRecords = {
  id: 'n.id',
  caller: 'caller_of(tg_table_name, n.id)',
  after: column => `n.${column}`,
  before: column => `o.${column}`
}

/** Whether a part of a rule is a comparison, without a query or function. */
const isCheap = (part: string) => !/\bselect\b|\w\s*\((?<!\b(?:in|any|and|or|not)\s*\()/.test(part)

const cheapOf = ({ sql }: HeldRule) => conjuncts(sql).filter(isCheap)
const restOf = ({ sql }: HeldRule) => conjuncts(sql).filter(part => !isCheap(part)).join(' and ') || 'true'

/** A refusal that evaluates comparisons first: plpgsql takes a microsecond for them, and many times as long for a query or function. */
function refusal (rule: HeldRule, records: RuleRecords): string {
  const [cheap, rest] = [cheapOf(rule), restOf(rule)]
  if (cheap.length === 0 || rest === 'true') return raising(rule, records)
  return `
    if ${ruleSql(cheap.join(' and '), records)} then${raising({ ...rule, sql: rest }, records)}
    end if;`
}

function raising ({ name, field, key, sql, detail }: HeldRule, records: RuleRecords): string {
  const details = detail === undefined ? '' : `, detail = ${ruleSql(detail, records)}`
  return `
    if (${ruleSql(sql, records)}) then
      raise exception '% of % %: ${key}', '${field}', tg_table_name, ${records.id}
        using errcode = 'check_violation', table = tg_table_name, constraint = '${name}'${details};
    end if;`
}

function functionOf (name: string, statements: string, settings: string, declarations = ''): string {
  return `create or replace function ${name}() returns trigger
language plpgsql
${settings} as $$
${declarations}begin${statements}
end
$$;
`
}
