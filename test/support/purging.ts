import type { Sql, Statement, TransactionMode } from '../../src/database/connection/sql.ts'

/** The database without the time limit of a purge's batch, which a busy machine exceeds. Other limits of the service remain. */
export function withoutBatchTimeout (sql: Sql): Sql {
  return {
    ...sql,
    within: async <const S extends ReadonlyArray<Statement<object>>>(companies: number[], mode: TransactionMode, statements: [...S]) =>
      await sql.within(companies, mode, statements.map(statement => statement.text.includes('statement_timeout') ? { text: 'select', values: [] } : statement) as [...S])
  }
}
