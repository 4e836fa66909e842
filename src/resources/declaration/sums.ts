import { keptSumTriggers, rowsOf } from '../../database/schema/child-triggers.ts'
import { triggerDefs } from '../../database/schema/triggers.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Constraint, ConstraintMeaning } from './constraint.ts'
import type { Resource } from './resource.ts'

/** A resource, as the sums over its records need it. */
type Summed = Pick<Resource, 'name' | 'sums' | 'entity' | 'links' | 'fields' | 'meanings' | 'constraints'>

/**
 * Adds the triggers of the sums to the tables of their records, and to their meanings those of the parent's constraints, which a write of a
 * record can violate too. Sums that are too large become constraints of the records. A second call adds nothing.
 * @throws {Error} for a sum over an unknown resource
 */
export function linkSums (resources: readonly Summed[]): void {
  for (const parent of resources) {
    const { name: table, sums } = parent
    for (const [field, specs] of Object.entries(sums)) {
      for (const { of, field: amount, where } of specs) {
        const summed = resources.find(({ name }) => name === of)
        if (summed === undefined) throw new Error(`${table}.${field}: there is no resource ${of}`)
        const column = addTriggers(summed, table, field, amount, where)
        const limit = limitOfSum(summed, { table, field, column, amount, where, whole: parent.fields[field].spec.whole ?? 16 })
        if (!summed.constraints.some(({ sql }) => sql === limit.sql)) summed.constraints.push(limit)
        summed.meanings = { ...meaningsInSum(parent, field, amount), ...summed.meanings }
      }
    }
  }
}

/** What the constraints of a parent mean for a record of its sum: the same under the amount. */
function meaningsInSum ({ name, meanings }: Summed, field: string, amount: string): Record<string, ConstraintMeaning> {
  const ofAmount = Object.entries(meanings)
    .map(([constraint, meaning]) => [constraint, 'conflict' in meaning ? meaning : { ...meaning, field: amount }] as const)
  return { [`${name}_${field}_check`]: { field: amount, key: 'sumInvalid' }, ...Object.fromEntries(ofAmount) }
}

/** A sum over records, with the digits before its point. */
interface LimitedSum {
  table: string
  field: string
  column: string
  amount: string
  where: string
  whole: number
}

/** The sum must fit its column, with the record. Only the trigger `keep_sum` checks it before, because so large sums are rare. */
function limitOfSum ({ name, fields }: Summed, { table, field, column, amount, where, whole }: LimitedSum): Constraint {
  const { generatedBy, whole: ownWhole = 16 } = fields[amount].spec
  const names = new RegExp(`\\b(${Object.keys(fields).flatMap(own => [own, `${own}_id`]).join('|')})\\b`, 'g')
  const over = (alias: string, sql: string) => sql.replaceAll(names, `${alias}.$1`)
  const own = over('n', generatedBy ?? amount)
  const rest = `case p.${rowsOf(field)} when 0 then 0 else p.${field} end`
  const isTooLarge = `abs(${rest} + ${own} - case when ${over('o', where)} then coalesce(o.${amount}, 0) else 0 end) >= 1e${whole}`
  // An amount that is too large by itself has its own message.
  const parent = keyedRow('id', { table, as: 'p', company: 'n.company_id', value: `n.${column}`, where: isTooLarge })
  const sql = `(${over('n', where)}) and abs(${own}) < 1e${ownWhole} and exists ${parent}`
  return { field: amount, key: 'sumTooLarge', name: `${name}_${amount}_sum`, raised: true, sql }
}

/** @returns the column of the parent */
function addTriggers ({ name, entity, links, fields }: Summed, table: string, field: string, amount: string, where: string): string {
  const [parent, ...others] = links.filter(({ to }) => to === table)
  if (parent === undefined || others.length > 0) throw new Error(`${table}.${field}: ${name} must have one reference to ${table}`)
  if (fields[amount] === undefined) throw new Error(`${table}.${field}: ${name} has no field ${amount}`)
  const added = triggerDefs(name, keptSumTriggers({ table, field, parent: parent.column, amount, where }))
  const known = new Set(entity.meta.triggers.map(({ name }) => name))
  entity.meta.triggers.push(...added.filter(({ name }) => !known.has(name)))
  return parent.column
}

/**
 * The rule that a body cannot change a sum. It can give the amount of a record without rows.
 * @param rows column with the number of rows
 * @param sumOf resources of the rows
 */
export function derivedRule<const N extends string> (table: string, field: N, rows: string, sumOf: readonly string[]): Constraint<N> {
  return {
    field,
    key: 'derived',
    name: `${table}_${field}_derived`,
    only: 'changed',
    dependsOn: [field],
    sumOf,
    sql: `o.${rows} > 0 and o.${field} <> n.${field}`
  }
}
