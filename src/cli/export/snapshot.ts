import type { Database } from '../../database/database.ts'
import { setCompanies, Transaction } from '../../database/connection/postgres-sql.ts'
import type { Row } from '../../database/connection/sql.ts'
import { answerAll } from '../../database/turns/unit-of-work.ts'
import type { Reader } from '../../resources/declaration/scope.ts'

interface Named {
  id: number
  nombre: string
}

/** Reads of one moment. The policies admit the companies of one customer, and the history of accounts. */
export interface CustomerSnapshot {
  /** The time of the snapshot, ISO 8601 in UTC. */
  at: string
  customer: Named
  companies: Named[]
  /** Reads the accounts of the customer. */
  accounts: Reader
  /** Reads the history of these accounts. */
  accountHistory: Reader
  /** Reads the records of a company. */
  of: (company: number) => Reader
}

/**
 * Runs reads of a customer's data in one snapshot.
 * @returns undefined if there is no such customer
 */
export async function inCustomerSnapshot<T> (
  database: Pick<Database, 'pool' | 'check'>, id: number, work: (snapshot: CustomerSnapshot) => Promise<T>
): Promise<T | undefined> {
  const { transaction } = await Transaction.begin(database, [setCompanies([0])], 'begin isolation level repeatable read, read only')
  const send = async (text: string, values: unknown[]): Promise<Row[]> => (await transaction.send([{ text, values }]))[0]
  const reader = (company: number, first: unknown[] = []): Reader => async (query, values) => {
    const run = async (statement: Parameters<typeof transaction.send>[0][number]) => (await transaction.send([statement]))[0]
    return (await answerAll(run, [{ query, company, values: [...first, ...values] }]))[0]
  }
  try {
    const [customer] = await send('select id, nombre, now() as at from customers where id = $1', [id])
    if (customer === undefined) return undefined
    const companies = await send('select id, nombre from companies where customer_id = $1 order by id', [id]) as Named[]
    await transaction.send([setCompanies([0, ...companies.map(company => company.id)])])
    const { nombre, at } = customer
    return await work({ at, customer: { id, nombre }, companies, accounts: reader(id), accountHistory: reader(0, [id]), of: reader })
  } finally {
    await transaction.end()
  }
}
