import type { Test } from 'tap'
import type { Row, Sql, Statement } from '../../../../src/database/connection/sql.ts'
import { openTestDatabase } from '../../../support/helper.ts'

/** A database with the demo data that records transactions, and fails the next ones with `failures`. Each subtest starts with no records. */
export async function recordedTurns (t: Test) {
  const { database, psql, env } = await openTestDatabase(t)
  const companies = (await psql('select id from companies order by id')).map(({ id }) => id as number) as [norte: number, sur: number, otra: number]
  const transactions: Array<{ companies: number[], mode: string, statements: Array<Statement<object>> }> = []
  const failures: Error[] = []
  const sql: Sql = {
    ...database.sql,
    async within (companies, mode, statements, ...options) {
      transactions.push({ companies, mode, statements })
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return await database.sql.within(companies, mode, statements, ...options)
    }
  }
  t.beforeEach(() => { transactions.length = 0 })
  return { psql, env, database, companies, sql, transactions, failures }
}

/** The rows of an answer, or the code of its error. */
export const outcome = async (answer: Promise<Row[]>) => await answer.catch((error: { code: string }) => error.code)
