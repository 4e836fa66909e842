import type { Row, Sql } from '../../../../src/database/sql.ts'
import { readPage, type ListQuery } from '../../../../src/resources/reading/page.ts'
import { readRecord } from '../../../../src/resources/reading/record.ts'
import type { Readable } from '../../../../src/resources/declaration/resource.ts'
import type { Reader } from '../../../../src/resources/declaration/scope.ts'

/** A node of PostgreSQL's plan in JSON, as far as it is looked at. */
export interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Node[]
}

/** The nodes of a plan that were run, and the blocks that all of them read. */
export interface Explained {
  run: Node[]
  blocks: number
}

/** Explains, as the service's role, the statement that a list's query sends. @param owner the company, or the customer of accounts */
export async function explainPage (sql: Sql, owner: number, resource: Readable, query: ListQuery): Promise<Explained> {
  return await explained(sql, owner, async ask => await readPage(ask, resource, query))
}

/** The same of a single record. */
export async function explainRecord (sql: Sql, owner: number, resource: Readable, id: number): Promise<Explained> {
  return await explained(sql, owner, async ask => await readRecord(ask, resource, id))
}

/** Rows that a node read. */
export function rowsRead (node: Node): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

async function explained (sql: Sql, owner: number, read: (ask: Reader) => Promise<unknown>): Promise<Explained> {
  let rows: Row[] = []
  await read(async (shape, values) => {
    const statement = { text: `explain (analyze, buffers, timing off, format json) ${shape.text}`, values: [[owner], ...values.map(value => [value ?? null])] }
    // Run twice: what the first reads of the catalogue is not the statement's.
    for (let round = 0; round < 2; round++) rows = (await sql.within([owner], 'read only', [statement]))[0] as Row[]
    return [{ i: 1, revision: 0, count: 0, hit: null }]
  })
  const plan = rows[0]?.['QUERY PLAN']
  const [{ Plan: root }] = typeof plan === 'string' ? JSON.parse(plan) : plan
  const all = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(all)]
  return { run: all(root).filter(node => node['Actual Loops'] > 0), blocks: root['Shared Hit Blocks'] + root['Shared Read Blocks'] }
}
