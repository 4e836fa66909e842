import type { Database } from '../../database/database.ts'
import { setCompanies, Transaction } from '../../database/connection/postgres-sql.ts'
import type { Row, Statement } from '../../database/connection/sql.ts'
import { answerAll } from '../../database/turns/unit-of-work.ts'
import type { Reader } from '../../resources/declaration/scope.ts'
import { CliError } from '../output.ts'

/** A customer or a company. */
interface Organization {
  id: number
  nombre: string
}

/** Reads of a customer's data of one moment. The policies admit the companies of the customer, and the history of accounts. */
export class CustomerSnapshot {
  readonly #transaction: Transaction
  /** The time of the snapshot, ISO 8601 in UTC. */
  readonly at: string
  readonly customer: Organization
  readonly companies: Organization[]

  private constructor (transaction: Transaction, { at, id, nombre }: Organization & { at: string }, companies: Organization[]) {
    this.#transaction = transaction
    this.at = at
    this.customer = { id, nombre }
    this.companies = companies
  }

  /** Begins the snapshot, which the caller must dispose of. @throws {CliError} for an unknown customer */
  static async open (database: Pick<Database, 'pool' | 'check'>, id: number): Promise<CustomerSnapshot> {
    const { transaction } = await Transaction.begin(database, [setCompanies([0])], 'begin isolation level repeatable read, read only')
    try {
      const ofCustomer: Statement<Organization & { at: string }> = {
        text: 'select id, nombre, now() as at from customers where id = $1', values: [id]
      }
      const ofCompanies: Statement<Organization> = {
        text: 'select id, nombre from companies where customer_id = $1 order by id', values: [id]
      }
      const [[customer], companies] = await transaction.send([ofCustomer, ofCompanies])
      if (customer === undefined) throw new CliError(`no such customer: ${id}`)
      await transaction.send([setCompanies([0, ...companies.map(company => company.id)])])
      return new CustomerSnapshot(transaction, customer, companies)
    } catch (error) {
      await transaction.end()
      throw error
    }
  }

  /** Reads the accounts of the customer. */
  readonly accountReader: Reader = async (query, values) => await this.#read(query, this.customer.id, values)

  /** Reads the history of these accounts. */
  readonly accountHistoryReader: Reader = async (query, values) => await this.#read(query, 0, [this.customer.id, ...values])

  /** Makes a reader of the records of a company. */
  companyReader (company: number): Reader {
    return async (query, values) => await this.#read(query, company, values)
  }

  async #read (query: Parameters<Reader>[0], company: number, values: unknown[]): Promise<Row[]> {
    const run = async <R extends object>(statement: Statement<R>) => (await this.#transaction.send([statement]))[0]
    return (await answerAll(run, [{ query, company, values }]))[0]
  }

  async [Symbol.asyncDispose] (): Promise<void> {
    await this.#transaction.end()
  }
}
