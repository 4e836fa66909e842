import { Company } from '../entities/company.ts'
import type { Problem } from '../errors.ts'
import { refersTo, updatedSince } from '../resources/conditions.ts'
import { byName } from '../resources/ordering.ts'
import { customerProblems } from './customers.ts'
import { withinReach } from './reach.ts'
import { changes, counted, type AccountResource, type Look, type Proposal } from './resource.ts'

/** Companies: the tenants, each of a customer. */
export const companies: AccountResource = {
  name: 'companies',
  entity: Company,
  scope: withinReach('t.customer_id'),
  item: 't.id, t.nombre, t.customer_id as customer, t.created_at, t.updated_at, t.version',
  joins: '',
  lookedAt: '',
  detail: '',
  detailJoins: '',
  ordering: {
    nombre: byName,
    customer: { sql: 't.customer_id', type: 'int' },
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz' }
  },
  filters: {
    customer: refersTo('t.customer_id'),
    updated_since: updatedSince
  },
  search: ['t.busqueda'],
  writable: ['nombre', 'customer'],
  defaults: ({ customer }) => customer === null ? {} : { customer },
  problems
}

async function problems (proposal: Proposal, look: Look): Promise<Problem[]> {
  const { next, current } = proposal
  const { customer, nombre } = next
  if (customer === undefined) return [{ field: 'customer', key: 'required' }]
  const found = await customerProblems(proposal, look)
  if (found.length > 0) return found

  if (nombre !== undefined && await counted(look, 'from companies where customer_id = $1 and nombre = $2 and id is distinct from $3', [customer, nombre, current?.['id'] ?? null]) > 0) {
    found.push({ field: 'nombre', key: 'unique' })
  }
  // Members would go with their company, and so reach a customer that they do not belong to.
  if (current !== undefined && changes('customer', proposal)) {
    const count = await counted(look, 'from memberships m join users u on u.id = m.user_id where m.company_id = $1 and u.customer_id <> $2', [current['id'], customer])
    if (count > 0) found.push({ field: 'customer', key: 'companyHasMembers', values: { count } })
  }
  return found
}
