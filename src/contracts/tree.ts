import type { Row } from '../database/sql.ts'
import { asked, type Shape } from '../database/turns.ts'
import { contracts } from './resource.ts'

const columns = [['id', 'int']] as const

// `offset 0` keeps each step a look into an index: as a join the planner would hash the whole company at every level.

/** A contract and all below it, level by level: `level` is 0 for itself, 1 for its subcontracts … */
export const treeShape: Shape = {
  name: 'contracts tree',
  columns,
  text: `
    select q.i, r.revision, x.*
    from ${asked(columns)}
    join company_revisions r on r.company_id = q.company
    cross join lateral (
      with recursive below (id, level) as (
        select c.id, 0 from contracts c where c.company_id = q.company and c.id = q.id
        union all
        select c.id, below.level + 1 from below cross join lateral (
          select id from contracts where company_id = q.company and parent_id = below.id offset 0) c)
      select below.level, ${contracts.item}
      from below join contracts t on t.company_id = q.company and t.id = below.id ${contracts.joins}
      order by below.level, t.id) x`
}

/** A contract and all above it, root first: the last row is the contract itself. */
export const ancestorsShape: Shape = {
  name: 'contracts ancestors',
  columns,
  text: `
    select q.i, r.revision, x.*
    from ${asked(columns)}
    join company_revisions r on r.company_id = q.company
    cross join lateral (
      with recursive above (id, parent_id, level) as (
        select c.id, c.parent_id, 0 from contracts c where c.company_id = q.company and c.id = q.id
        union all
        select c.id, c.parent_id, above.level + 1 from above cross join lateral (
          select id, parent_id from contracts where company_id = q.company and id = above.parent_id offset 0) c)
      select above.level, ${contracts.item}
      from above join contracts t on t.company_id = q.company and t.id = above.id ${contracts.joins}
      order by above.level desc) x`
}

interface Node {
  row: Row
  /** Hundredths, its own and all below. */
  total: bigint
  children: Node[]
}

/**
 * Nests the rows of {@link treeShape} as JSON: each contract with `monto_total` (its own amount and all below, whether shown or not) and
 * `children`. Neither reading nor writing recurses, so no depth exhausts the stack.
 * @param serialize writes one contract, without its children
 * @param depth levels below the contract that are shown; all by default
 */
export function nest (rows: Row[], serialize: (contract: Row) => string, depth = Infinity): string {
  const nodes = new Map<number, Node>()
  for (const row of rows) nodes.set(row['id'], { row, total: BigInt(row['monto'].replace('.', '')), children: [] })
  for (const node of [...nodes.values()].reverse()) {
    const parent = node.row['level'] === 0 ? undefined : nodes.get(node.row['parent'])
    if (parent === undefined) continue
    parent.total += node.total
    if (node.row['level'] <= depth) parent.children.unshift(node)
  }

  const parts: string[] = []
  const open: Array<{ children: Node[], next: number }> = [{ children: [nodes.values().next().value as Node], next: 0 }]
  while (open.length > 0) {
    const level = open.at(-1) as typeof open[number]
    const node = level.children[level.next++]
    if (node === undefined) {
      open.pop()
      if (open.length > 0) parts.push(']}')
      continue
    }
    if (level.next > 1) parts.push(',')
    parts.push(serialize({ ...node.row, monto_total: decimal(node.total) }).slice(0, -1), ',"children":[')
    open.push({ children: node.children, next: 0 })
  }
  return parts.join('')
}

function decimal (hundredths: bigint): string {
  const digits = String(hundredths).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
