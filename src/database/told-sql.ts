import { statements as channel } from '../channels.ts'
import type { Sql } from './sql.ts'

/** Hot statements that tell of themselves, where somebody listens: of their texts, never of their values. */
export function toldSql (sql: Sql): Sql {
  return {
    async query (statement) {
      if (!channel.hasSubscribers) return await sql.query(statement)
      return await channel.tracePromise(sql.query, { statements: [statement] }, sql, statement)
    },
    async within (companies, mode, statements) {
      if (!channel.hasSubscribers) return await sql.within(companies, mode, statements)
      return await channel.tracePromise(sql.within, { statements }, sql, companies, mode, statements)
    }
  }
}
