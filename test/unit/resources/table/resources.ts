import type { Row } from '../../../../src/database/sql.ts'
import type { Schemas } from '../../../../src/resources/declaration/declare.ts'
import type { Client, TestServer } from '../../../support/helper.ts'
import type { Taken } from './body-kinds.ts'
import { accounts } from './accounts.ts'
import { business } from './business.ts'

/** Names of the resources that a field can refer to. */
export type Referred = 'contracts' | 'contrapartes' | 'customers' | 'companies' | 'users'

/** A resource as the table of fields sees it. */
export interface Entry {
  /** Path segment, and table. */
  name: string
  schemas: Schemas
  /** Fields of PUT and PATCH that no record has, which have tests of their own. */
  ofChanges?: string[]
  /** Who makes the requests. */
  by: string
  /** Who reaches the first customer's records alone, where `by` reaches everybody's. */
  within?: string
  /** Somebody who does not reach what `right` makes, and what that is answered with. */
  outsider: { email: string, status: 403 | 404 }
  /** Whether the records are a company's: they have `company`, and the company's revision is in their ETags. */
  ofCompany: boolean
  /** Whether there is `bulk/`, with upsert by `external_id`. */
  bulk: boolean
  /** What DELETE of what has been deleted is answered with; without one there is no DELETE. */
  deletedAgain?: 404 | 412
  /** Required fields, right; others each time. */
  right: (number: number) => Record<string, unknown>
  /** A change that nothing stands against, another one for each of a few numbers. */
  change: (number: number) => Record<string, unknown>
  /** Fields that no two records have the same of, by the name under which that is told. */
  unique: Record<string, Record<string, unknown>>
  /** What a POST must have beside what its schema requires of everybody. */
  alsoRequired?: string[]
  /** Fields that the record has in other answers: bodies take them too. */
  alsoShown?: string[]
  /** What else a body must have for the field's last values to be right. */
  beside?: Record<string, Record<string, unknown>>
  /** What the field takes in a new record, where its schema does not tell. */
  taken?: Record<string, Taken[]>
  /** References that cannot change: of one that does not exist a change is told that, too. */
  fixed?: string[]
  /** The resource that a field refers to. */
  references: Record<string, Referred>
  /** How the first record that `right` makes is made ready. */
  prepare?: (client: Client, server: TestServer) => Promise<void>
}

/** Every resource with fields that callers write. A further one is a further entry. */
export const entries: Entry[] = [...business, ...accounts]

/** Ids that a reference can have: one of the first company or customer and one of another customer's. */
export interface Ids { own: number, foreign: number }

const owners: Record<Referred, [column: string, own: number, foreign: number]> = {
  contracts: ['company_id', 1, 3],
  contrapartes: ['company_id', 1, 3],
  customers: ['id', 1, 2],
  companies: ['customer_id', 1, 2],
  users: ['customer_id', 1, 2]
}

/** The ids that references can have, on a server with the demo data. */
export async function idsOf ({ psql }: TestServer): Promise<Record<Referred, Ids>> {
  const found = async ([table, [owner, own, foreign]]: [string, [string, number, number]]) => {
    const [ids] = await psql(`select (select min(id) from ${table} where ${owner} = $1) as own, (select min(id) from ${table} where ${owner} = $2) as foreign`, [own, foreign])
    return [table, ids] as const
  }
  return Object.fromEntries(await Promise.all(Object.entries(owners).map(found))) as unknown as Record<Referred, Ids>
}

/** Takes records away again that a test has made, past every wall. */
export async function forget ({ psql }: TestServer, { name }: Entry, ids: number[]): Promise<Row[]> {
  return await psql(`delete from ${name} where id = any ($1)`, [ids])
}

/** Changes a record as psql would. */
export async function changeByPsql ({ psql }: TestServer, { name }: Entry, id: number, change: Record<string, unknown>): Promise<void> {
  for (const [column, value] of Object.entries(change)) await psql(`update ${name} set ${column} = $2 where id = $1`, [id, value])
}
