import { setImmediate as nextRound } from 'node:timers/promises'
import type { Row } from '../../database/connection/sql.ts'
import { requestRows, type BatchQuery, idType } from '../../database/turns/batch-requests.ts'
import { contracts } from './resource.ts'

const columns = [['id', idType]] as const

// `offset 0` keeps an index lookup per step. For a plain join the planner would hash the whole company at each level.

/** A query that walks the tree from one contract. `walk` is a recursive query named `way` over `(id, level)`. */
function walking (name: string, walk: string, order: string): BatchQuery {
  return {
    name,
    slow: true,
    columns,
    text: `
      select q.i, r.revision, r.stamp, x.*
      from ${requestRows(columns)}
      join company_revisions r on r.company_id = q.company
      cross join lateral (
        with recursive ${walk}
        select way.level, ${contracts.item}
        from way join contracts t on t.company_id = q.company and t.id = way.id ${contracts.joins}
        order by ${order}) x`
  }
}

/** A contract and all its descendants by level: 0 for the contract, 1 for its subcontracts, and so on. */
export const treeQuery = walking('contracts tree', `
  way (id, level) as (
    select c.id, 0 from contracts c where c.company_id = q.company and c.id = q.id
    union all
    select c.id, way.level + 1 from way cross join lateral (
      select id from contracts where company_id = q.company and parent_id = way.id offset 0) c)`, 'way.level, t.id')

/** A contract and all its ancestors, root first. The last row is the contract itself. */
export const ancestorsQuery = walking('contracts ancestors', `
  way (id, parent_id, level) as (
    select c.id, c.parent_id, 0 from contracts c where c.company_id = q.company and c.id = q.id
    union all
    select c.id, c.parent_id, way.level + 1 from way cross join lateral (
      select id, parent_id from contracts where company_id = q.company and id = way.parent_id offset 0) c)`, 'way.level desc')

/** Contracts that are serialized before other requests run, which takes about 1 ms. */
const writtenAtOnce = 200

interface Node {
  row: Row
  /** Hundredths by currency: the contract's own amount and those of all descendants. */
  totals: Map<string, bigint>
  children: Node[]
}

/**
 * Nests the rows of {@link treeQuery} as JSON. Each contract gets `children`, `monto_total` (its own amount and those of its descendants in
 * its currency, shown or not) and `otras_monedas` (descendants' amounts in other currencies). Not recursive, so the depth is not limited by
 * the stack.
 * @param serialize serializes one contract without its children
 * @param depth levels below the contract to show; all by default
 */
export async function nest (rows: Row[], serialize: (contract: Row) => string, depth = Infinity): Promise<string> {
  const parts: string[] = []
  let written = 0
  const open = [{ children: [rootOf(rows, depth)], next: 0 }]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const node = level.children[level.next++]
    if (node === undefined) {
      open.pop()
      if (open.length > 0) parts.push(']}')
      continue
    }
    if (level.next > 1) parts.push(',')
    if (++written % writtenAtOnce === 0) await nextRound()
    parts.push(serialize({ ...node.row, ...sumsOf(node) }).slice(0, -1), ',"children":[')
    open.push({ children: node.children, next: 0 })
  }
  return parts.join('')
}

/** The contracts of {@link nest}, without `children`: each one before its descendants, and these before its next sibling. */
export function * listed (rows: Row[], depth = Infinity): Generator<Row> {
  const open = [rootOf(rows, depth)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield { ...node.row, ...sumsOf(node) }
    for (const child of node.children.toReversed()) open.push(child)
  }
}

/** The contract at the root, with its descendants down to `depth` and all their sums. */
function rootOf (rows: Row[], depth: number): Node {
  const nodes = new Map<number, Node>()
  for (const row of rows) {
    nodes.set(row['id'], { row, totals: new Map([[row['moneda'], BigInt(row['monto'].replace('.', ''))]]), children: [] })
  }
  for (const node of [...nodes.values()].reverse()) {
    const parent = node.row['level'] === 0 ? undefined : nodes.get(node.row['parent'])
    if (parent === undefined) continue
    for (const [currency, total] of node.totals) parent.totals.set(currency, (parent.totals.get(currency) ?? 0n) + total)
    if (node.row['level'] <= depth) parent.children.unshift(node)
  }
  return [...nodes.values()][0]
}

function sumsOf ({ row, totals }: Node): Row {
  const ownCurrency: string = row['moneda']
  const { [ownCurrency]: own, ...others } = Object.fromEntries([...totals].map(([currency, total]) => [currency, decimal(total)]))
  return { monto_total: own, otras_monedas: others }
}

function decimal (hundredths: bigint): string {
  const digits = String(hundredths).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
