import type { Row, Sql, Statement } from '../../database/connection/sql.ts'
import { timely } from '../timely.ts'

const cacheTime = 60_000
// Shorter than the time that a primary gives its workers, so that a worker answers while the database does not.
const timeout = 1000

/**
 * Makes a query of scrapes that runs at most once a minute.
 * @param sql returns the database, which is not there when metrics are registered
 * @returns a function with the rows; none in between, or if the database does not answer, so that the last values stay
 */
export function onceAMinute (sql: () => Sql, statement: Statement): () => Promise<Row[]> {
  let queriedAt = -Infinity
  const query = async () => await sql().query(statement).catch(() => [])
  const read = timely<Row[]>(query, [], timeout)
  return async () => {
    if (performance.now() - queriedAt < cacheTime) return []
    queriedAt = performance.now()
    return await read()
  }
}
