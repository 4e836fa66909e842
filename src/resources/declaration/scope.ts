import type { Row } from '../../database/connection/sql.ts'
import type { BatchQuery } from '../../database/turns/batch-requests.ts'

/**
 * Limits the statements of a resource to the records of a company, or to the accounts within a reach. In SQL, `q` has the parameters, and
 * `t` is the resource's table.
 */
export interface Scope {
  /** The first column of `q`: the company, or the customer. */
  owner: string
  /** The condition that a record of `t` belongs to the owner. */
  pin: string
  /** Joins of every statement: `r`, with the `revision` and `stamp` of the answer. */
  joins: string
  /** Whether every change of the records raises the revision of their company. */
  revised: boolean
  /**
   * Whether its rows belong to no company, as data about users: those of company 0, which the policies admit from level 4 on. The first
   * value of each query is the customer whose accounts the caller reaches, or null for all customers.
   */
  isOfNoCompany?: boolean
  /** SQL of the number of all records, if triggers count them. */
  total?: (name: string) => string
}

/** The scope of business data: the records of one company. */
export const ofCompany: Scope = {
  owner: 'company',
  pin: 't.company_id = q.company',
  joins: 'join company_revisions r on r.company_id = q.company',
  revised: true,
  total: name => `r.${name}`
}

/** Parts of the scope of records whose changes raise no revision. */
const unrevised = { joins: 'cross join (select 0 as revision, 0 as stamp) r', revised: false } as const

/** The scope of records of one company whose changes do not raise its revision. */
export const ofCompanyUnrevised: Scope = { owner: ofCompany.owner, pin: ofCompany.pin, ...unrevised }

/** The scope of data about accounts that belong to no company. */
export const ofNoCompany: Scope = { ...ofCompanyUnrevised, isOfNoCompany: true }

/** Runs a query for one owner, with the values of its columns. */
export type Reader = (query: BatchQuery, values: unknown[]) => Promise<Row[]>

/** The accounts that a caller can read or manage. */
export interface Reach {
  /** The caller's own account level, 4 to 6. */
  level: number
  /** The customer whose accounts are within reach, or null for all customers. */
  customer: number | null
}

/** The reach of an account that can read or manage accounts. A Corporativo without a customer reaches no account. */
export function reachOf (level: number, customer: number | null): Reach {
  return { level, customer: level === 4 ? customer ?? 0 : null }
}

/** The scope of an account table. @param customer SQL of the customer that a record of `t` belongs to */
export function withinReach (customer: string): Scope {
  return reached(`(q.customer is null or ${customer} = q.customer)`)
}

/** The scope of a table whose records belong to their company's customer. The companies are read once, not once per record. */
export const ofReachedCompanies =
  reached('t.company_id = any (array(select o.id from companies o where q.customer is null or o.customer_id = q.customer))')

function reached (pin: string): Scope {
  return { owner: 'customer', pin, ...unrevised }
}
