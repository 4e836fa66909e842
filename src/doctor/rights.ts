/** Tables with a company that hold no business data: who may enter a company, and its revision (decision 1). */
export const outside: readonly string[] = ['company_revisions', 'memberships', 'users']

const all = ['select', 'insert', 'update', 'delete']

/** What the service's role may do with the tables that are not a resource's; with a resource's it may do all. */
const rights: Record<string, readonly string[]> = {
  customers: ['select', 'insert', 'update'],
  companies: ['select', 'insert', 'update'],
  users: ['select', 'insert', 'update'],
  memberships: all,
  sessions: all,
  refresh_tokens: all,
  company_revisions: ['select'],
  changes: ['select'],
  idempotency_keys: ['select', 'insert', 'delete'],
  mikro_orm_migrations: ['select']
}

/**
 * What somebody may do with a table beyond what is needed.
 * @param everybody whether that is the role `public`, which needs nothing
 * @param business whether its rows are of companies
 */
export function excess (table: string, has: readonly string[], everybody: boolean, business: boolean): string[] {
  const needed = everybody ? [] : rights[table] ?? (business ? all : [])
  return has.filter(right => !needed.includes(right))
}
