import { keptSumTriggers } from '../../database/schema/child-triggers.ts'
import { triggerDefs } from '../../database/schema/triggers.ts'
import { keyedRow } from '../../database/turns/keyed-row.ts'
import type { Link, Resource, SummedResource } from './resource.ts'

/** Adds the triggers of the sums to the tables of their records. A second call adds nothing. */
export function linkSums (resources: ReadonlyArray<Pick<Resource, 'name' | 'sums'>>): void {
  for (const { name: table, sums } of resources) {
    for (const [field, specs] of Object.entries(sums)) {
      for (const { of, field: amount, where } of specs) addTriggers(of(), table, field, amount, where)
    }
  }
}

function addTriggers ({ name, entity, links }: SummedResource, table: string, field: string, amount: string, where: string): void {
  const parents = links.filter(({ to, isPart }) => to === table && isPart)
  if (parents.length !== 1) throw new Error(`${table}.${field}: ${name} must have one required reference to ${table}`)
  const added = triggerDefs(name, keptSumTriggers({ table, field, parent: (parents[0] as Link).column, amount, where }))
  const known = new Set(entity.meta.triggers.map((trigger: { name: string }) => trigger.name))
  entity.meta.triggers.push(...added.filter(trigger => !known.has(trigger.name)))
}

/** The rule that a body cannot change a sum. It can give the amount of a record without rows. */
export function derivedRule (table: string, field: string, rows: string): Resource['constraints'][number] {
  return { field, key: 'derived', dependsOn: [field], sql: `exists ${keyedRow('id', { table, as: 'p', value: 'q.self', where: `p.${rows} > 0 and p.${field} <> q.${field}` })}` }
}
