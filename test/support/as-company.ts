import type { Row } from '../../src/database/connection/sql.ts'
import type { BatchRequest } from '../../src/database/turns/batch-requests.ts'
import type { Reader } from '../../src/resources/declaration/scope.ts'

/** Makes a reader for one company. */
export function asCompany (ask: (ask: BatchRequest) => Promise<Row[]>, company: number): Reader {
  return async (query, values) => await ask({ query, company, values })
}
