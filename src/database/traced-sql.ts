import { statements as channel } from './channels.ts'
import type { Sql } from './sql.ts'

/** Publishes each statement, without its values, on a diagnostics channel if it has subscribers. */
export function tracedSql (sql: Sql): Sql {
  return {
    query: (statement) => channel.start.hasSubscribers
      ? channel.tracePromise(sql.query, { statements: [statement] }, sql, statement)
      : sql.query(statement),

    within: (companies, mode, statements) => channel.start.hasSubscribers
      ? channel.tracePromise(sql.within, { statements }, sql, companies, mode, statements)
      : sql.within(companies, mode, statements)
  }
}
