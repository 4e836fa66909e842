import { Customer } from '../entities/customer.ts'
import type { Problem } from '../errors.ts'
import { updatedSince } from '../resources/conditions.ts'
import { byName } from '../resources/ordering.ts'
import { withinReach } from './reach.ts'
import { absent, changes, type AccountResource, type Look, type Proposal } from './resource.ts'

/** Customers: the top-level accounts, which own companies. */
export const customers: AccountResource = {
  name: 'customers',
  entity: Customer,
  scope: withinReach('t.id'),
  item: 't.id, t.nombre, t.created_at, t.updated_at, t.version',
  joins: '',
  lookedAt: '',
  detail: '',
  detailJoins: '',
  ordering: {
    nombre: byName,
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz' }
  },
  filters: { updated_since: updatedSince },
  search: ['t.busqueda'],
  writable: ['nombre'],
  defaults: () => ({}),
  problems: async () => []
}

/** What is wrong with the `customer` that a record is to belong to. */
export async function customerProblems (proposal: Proposal, look: Look): Promise<Problem[]> {
  const customer = proposal.next['customer'] as number | null
  if (!changes('customer', proposal)) return []
  // Nobody's accounts are a Superusuario's alone.
  if (customer === null) return look.reach.customer === null ? [] : [{ field: 'customer', key: 'null' }]
  return await look.find(customers, customer) === undefined ? [absent('customer', customer)] : []
}
