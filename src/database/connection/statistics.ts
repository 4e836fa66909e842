import type { Sql } from './sql.ts'

/**
 * Analyzes the tables that have more than twice the size of their last analysis, one per transaction. Then all sessions make new plans, also for
 * the foreign key checks of PostgreSQL, which nothing else can influence (decision 46).
 * @param target the statistics target: PostgreSQL samples 300 times as many rows
 * @returns number of analyzed tables
 */
export async function analyzeGrown (sql: Sql, target: number): Promise<number> {
  for (let after = 0, analyzed = 0; ; analyzed++) {
    const [row] = await sql.query({ name: 'analyze grown', text: 'select after from analyze_grown($1, $2)', values: [after, target] })
    if (row?.['after'] == null) return analyzed
    after = row['after']
  }
}
