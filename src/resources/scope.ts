import type { Row } from '../database/sql.ts'
import type { Ask, Shape } from '../database/turns.ts'

/**
 * What keeps a resource's statements to the records of whoever asks: a company, or a reach among accounts. In SQL, `q` holds the
 * parameters, the asker's own first, and `t` is the resource's table.
 */
export interface Scope {
  /** The column of `q` that says who asks. */
  asker: string
  /** Holds a record of `t` to the asker. */
  pin: string
  /** What else every statement joins: `r`, with the `revision` that the answer is of. */
  joins: string
  /** SQL for the number of all records of that name, where it is kept; elsewhere they are counted. */
  total?: (name: string) => string
}

/** The scope of business data: one company's records, which has a revision and counters. */
export const ofCompany: Scope = {
  asker: 'company',
  pin: 't.company_id = q.company',
  joins: 'join company_revisions r on r.company_id = q.company',
  total: name => `r.${name}`
}

/** Asks for a shape, with the values of its columns, in the name of one asker. */
export type Asking = (shape: Shape, values: unknown[]) => Promise<Row[]>

/** Asks in the name of one company. */
export function asCompany (ask: (ask: Ask) => Promise<Row[]>, company: number): Asking {
  return async (shape, values) => await ask({ shape, company, values })
}
