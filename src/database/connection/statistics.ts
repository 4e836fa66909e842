import type { Sql } from './sql.ts'

/** Result of {@link analyzeGrown}: the number of analyzed tables, and the names of those whose analysis the database has cancelled. */
interface Analysis {
  analyzed: number
  cancelled: string[]
}

/**
 * Analyzes the tables that have more than twice the size of their last analysis, one per transaction. Then all sessions make new plans,
 * also for the foreign key checks of PostgreSQL, which nothing else can influence (decision 46).
 * @param target the statistics target: PostgreSQL samples 300 times as many rows
 * @param signal no further table is analyzed after its abort
 */
export async function analyzeGrown (sql: Sql, target: number, signal?: AbortSignal): Promise<Analysis> {
  const analysis: Analysis = { analyzed: 0, cancelled: [] }
  for (let after = 0; signal?.aborted !== true;) {
    const [row] = await sql.query({
      name: 'analyze grown', text: 'select after, cancelled from analyze_grown($1, $2)', values: [after, target]
    })
    if (row?.['after'] == null) break
    after = row['after']
    if (row['cancelled'] === null) analysis.analyzed++
    else analysis.cancelled.push(row['cancelled'])
  }
  return analysis
}
