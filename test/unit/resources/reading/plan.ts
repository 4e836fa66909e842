import type { Row, Sql } from '../../../../src/database/connection/sql.ts'
import { readPage, type ListQuery } from '../../../../src/resources/reading/page.ts'
import { readRecord } from '../../../../src/resources/reading/record.ts'
import type { Readable } from '../../../../src/resources/declaration/base-resource.ts'
import type { Reader } from '../../../../src/resources/declaration/scope.ts'

/** The fields of a node in PostgreSQL's JSON plan that tests use. */
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

/** The executed nodes of a plan, and the number of blocks that they read. */
export interface Explained {
  run: Node[]
  blocks: number
}

/** Explains the statement of a list, with the service's role. @param owner id of the company; for accounts, of the customer */
export async function explainPage (sql: Sql, owner: number, resource: Readable, query: ListQuery): Promise<Explained> {
  return await explained(sql, owner, async ask => await readPage(ask, resource, query, 'UTC'))
}

/** The same for a single record. */
export async function explainRecord (sql: Sql, owner: number, resource: Readable, id: number): Promise<Explained> {
  return await explained(sql, owner, async ask => await readRecord(ask, resource, id))
}

/** Rows that a node read. */
export function rowsRead (node: Node): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
}

async function explained (sql: Sql, owner: number, read: (ask: Reader) => Promise<unknown>): Promise<Explained> {
  let rows: Row[] = []
  await read(async (query, values) => {
    const statement = { text: `explain (analyze, buffers, timing off, format json) ${query.text}`, values: [[owner], ...values.map(value => [value ?? null])] }
    // The first run also reads the catalog, so the second one counts.
    for (let round = 0; round < 2; round++) rows = (await sql.within([owner], 'read only', [statement]))[0]
    return [{ i: 1, revision: 0, count: 0, hit: null }]
  })
  const plan = rows[0]?.['QUERY PLAN']
  const [{ Plan: root }] = typeof plan === 'string' ? JSON.parse(plan) : plan
  const all = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(all)]
  return { run: all(root).filter(node => node['Actual Loops'] > 0), blocks: root['Shared Hit Blocks'] + root['Shared Read Blocks'] }
}
