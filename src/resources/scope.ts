import type { Row } from '../database/sql.ts'
import type { Shape } from '../database/turns.ts'

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

/** How far somebody reaches among accounts. */
export interface Reach {
  /** The own account level, 4 to 6. */
  level: number
  /** The customer whose accounts are reached, or null for everybody's. */
  customer: number | null
}

/** The reach of an account that may manage or read accounts. A Corporativo without a customer reaches nobody's. */
export function reachOf (level: number, customer: number | null): Reach {
  return { level, customer: level === 4 ? customer ?? 0 : null }
}

/** The scope of an account table, `customer` being SQL for the customer that a record of `t` belongs to. */
export function withinReach (customer: string): Scope {
  return reached(`(q.customer is null or ${customer} = q.customer)`)
}

/** The scope of a table whose records belong to their company's customer. The companies are looked up once, not once a record. */
export const ofReachedCompanies = reached('t.company_id = any (array(select o.id from companies o where q.customer is null or o.customer_id = q.customer))')

function reached (pin: string): Scope {
  return { asker: 'customer', pin, joins: 'cross join (select 0 as revision) r' }
}
