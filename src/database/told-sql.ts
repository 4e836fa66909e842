import { statements as channel } from '../channels.ts'
import type { Sql } from './sql.ts'

/** Hot statements that tell of themselves, where somebody listens: of their texts, never of their values. */
export function toldSql (sql: Sql): Sql {
  return {
    query: (statement) => channel.start.hasSubscribers
      ? channel.tracePromise(sql.query, { statements: [statement] }, sql, statement)
      : sql.query(statement),

    within: (companies, mode, statements) => channel.start.hasSubscribers
      ? channel.tracePromise(sql.within, { statements }, sql, companies, mode, statements)
      : sql.within(companies, mode, statements)
  }
}
