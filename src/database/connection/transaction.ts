import type { Pool, PoolClient, QueryResult } from 'pg'
import { isBroken, together } from './postgres-sql.ts'
import type { Row, Statement } from './sql.ts'

/** A pool with pipelining clients. `check` gets each error, and returns the one to throw. */
export interface Connections {
  pool: Pick<Pool, 'connect'>
  check: { reportError: (error: unknown) => unknown }
}

/** How a transaction begins. */
type Begin = 'begin' | 'begin isolation level repeatable read, read only'

/** An open transaction on a connection of its own. */
export class Transaction {
  readonly #client: PoolClient
  readonly #check: Connections['check']
  #isBroken = false

  private constructor (client: PoolClient, check: Connections['check']) {
    this.#client = client
    this.#check = check
  }

  /**
   * Begins a transaction together with its first statements, in one round trip. If `begin` fails, they run without a transaction, so they must
   * write nothing.
   * @param begin the statement that begins it
   * @returns the rows of the statements
   * @throws the first error, after a rollback
   */
  static async begin ({ pool, check }: Connections, first: Statement[], begin: Begin = 'begin'): Promise<{ transaction: Transaction, rows: Row[][] }> {
    const transaction = new Transaction(await pool.connect(), check)
    try {
      const [, ...rows] = await transaction.#send([begin, ...first])
      return { transaction, rows }
    } catch (error) {
      await transaction.end()
      throw error
    }
  }

  /** Sends statements together, behind those in progress. @returns their rows @throws the first error */
  async send (statements: Statement[]): Promise<Row[][]> {
    return await this.#send(statements)
  }

  /** Runs a statement without values. @returns rows and their count */
  async execute (text: string): Promise<QueryResult<Row>> {
    try {
      return await this.#client.query<Row>(text)
    } catch (error) {
      throw this.#reported([error])
    }
  }

  /** Commits together with the last statements. @throws the first error, also if an earlier statement failed. Then PostgreSQL rolls back. */
  async commit (last: Statement[]): Promise<void> {
    await this.#send([...last, 'commit'])
  }

  /** Rolls back unless the transaction has ended. Gives the connection back, or closes it if it is broken. */
  async end (): Promise<void> {
    if (!this.#isBroken && this.#client.getTransactionStatus() !== 'I') await this.#send(['rollback']).catch(() => { this.#isBroken = true })
    this.#client.release(this.#isBroken)
  }

  async #send (statements: Array<Statement | Begin | 'commit' | 'rollback'>): Promise<Row[][]> {
    const sent = await together(this.#client, statements)
    const errors = sent.filter(result => result.status === 'rejected').map(result => result.reason)
    if (errors.length > 0) throw this.#reported(errors)
    return sent.map(result => (result as PromiseFulfilledResult<Row[]>).value)
  }

  #reported (errors: unknown[]): unknown {
    this.#isBroken ||= errors.some(isBroken)
    return this.#check.reportError(errors[0])
  }
}
