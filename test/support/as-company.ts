import type { Row } from '../../src/database/sql.ts'
import type { Ask } from '../../src/database/turns.ts'
import type { Asking } from '../../src/resources/scope.ts'

/** Asks in the name of one company. */
export function asCompany (ask: (ask: Ask) => Promise<Row[]>, company: number): Asking {
  return async (shape, values) => await ask({ shape, company, values })
}
