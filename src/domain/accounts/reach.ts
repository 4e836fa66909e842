import type { Scope } from '../../resources/scope.ts'

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
