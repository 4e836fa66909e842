import { registered } from '../../../../src/domain/resources.ts'
import type { Row } from '../../../../src/database/connection/sql.ts'
import type { Schemas } from '../../../../src/resources/declaration/route-schemas.ts'
import type { Client, TestServer } from '../../../support/helper.ts'
import type { Taken } from './body-kinds.ts'
import { accounts } from './accounts.ts'
import { business } from './business.ts'

/** The name of a resource that a field can refer to. */
export type Referred = string

/** A resource in the tests of all resources. */
export interface Entry {
  /** Path segment, and table. */
  name: string
  schemas: Schemas
  /** Fields of PUT and PATCH that no record has. They have their own tests. */
  ofChanges?: string[]
  /** Email of the user who sends the requests. */
  by: string
  /** Email of a user who can access only the first customer's records, if `by` can access all. */
  within?: string
  /** A user who cannot access the records of `right`, and the status of the refusal. */
  outsider: { email: string, status: 403 | 404 }
  /** Whether the records belong to a company: they have `company`, and their ETags have the company's revision. */
  ofCompany: boolean
  /** Whether there is `bulk/`, with upsert by `external_id`. */
  bulk: boolean
  /** Status of a second DELETE; undefined if there is no DELETE. */
  deletedAgain?: 404 | 412
  /** Valid values of the required fields, different for each number. */
  right: (number: number) => Record<string, unknown>
  /** A valid change, different for consecutive numbers. */
  change: (number: number) => Record<string, unknown>
  /** Values of unique fields, by the name under which the error is listed. */
  unique: Record<string, Record<string, unknown>>
  /** Fields that a POST by this user requires, in addition to the schema's, with their messages. */
  alsoRequired?: Record<string, string>
  /** Fields of other answers with the record. Bodies accept them too. */
  alsoShown?: string[]
  /** Other fields that a body needs for the values at a field's limits to be valid. */
  beside?: Record<string, Record<string, unknown>>
  /** Values that a field accepts in a new record, if its schema does not determine them. */
  taken?: Record<string, Taken[]>
  /** References that cannot change. A change to a record that does not exist lists both errors. */
  fixed?: string[]
  /** The resource that a field refers to. */
  references: Record<string, Referred>
  /** Prepares the database for the first record of `right`. */
  prepare?: (client: Client, server: TestServer) => Promise<void>
}

/** Every resource with writable fields. */
export const entries: Entry[] = [...business, ...accounts]

/** Ids for a reference: one of the first company or customer, and one of another customer. */
export interface Ids { own: number, foreign: number }

const owners: Record<Referred, [column: string, own: number, foreign: number]> = {
  ...Object.fromEntries(registered.map(({ name }) => [name, ['company_id', 1, 3] as [string, number, number]])),
  customers: ['id', 1, 2],
  companies: ['customer_id', 1, 2],
  users: ['customer_id', 1, 2]
}

/** The ids for references on a server with the demo data. */
export async function idsOf ({ psql }: TestServer): Promise<Record<Referred, Ids>> {
  const found = async ([table, [owner, own, foreign]]: [string, [string, number, number]]) => {
    const [ids] = await psql(`select (select min(id) from ${table} where ${owner} = $1) as own, (select min(id) from ${table} where ${owner} = $2) as foreign`, [own, foreign])
    return [table, ids] as const
  }
  return Object.fromEntries(await Promise.all(Object.entries(owners).map(found))) as unknown as Record<Referred, Ids>
}

/** Deletes records of a test as the superuser. */
export async function forget ({ psql }: TestServer, { name }: Entry, ids: number[]): Promise<Row[]> {
  return await psql(`delete from ${name} where id = any ($1)`, [ids])
}

/** Changes a record as the superuser. */
export async function changeByPsql ({ psql }: TestServer, { name }: Entry, id: number, change: Record<string, unknown>): Promise<void> {
  for (const [column, value] of Object.entries(change)) await psql(`update ${name} set ${column} = $2 where id = $1`, [id, value])
}
