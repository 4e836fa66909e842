import { Membership } from '../entities/membership.ts'
import { nonFieldErrors, type Problem } from '../errors.ts'
import { equals, refersTo, updatedSince } from '../resources/conditions.ts'
import { companies } from './companies.ts'
import { ofReachedCompanies } from './reach.ts'
import { absent, changes, counted, type Look, type Proposal, type RemovableResource } from './resource.ts'
import { users } from './users.ts'

/** Memberships: a user's place and level in one company. They belong to the company's customer. */
export const memberships: RemovableResource = {
  name: 'memberships',
  entity: Membership,
  scope: ofReachedCompanies,
  item: 't.id, t.user_id as "user", t.company_id as company, t.nivel_acceso, t.created_at, t.updated_at, t.version',
  joins: '',
  // A company's member of no customer is not the Corporativo's: what no answer shows, no search may find out letter by letter.
  lookedAt: 'left join users u on u.id = t.user_id and (q.customer is null or u.customer_id = q.customer) join companies c on c.id = t.company_id',
  detail: '',
  detailJoins: '',
  ordering: {
    user: { sql: 't.user_id', type: 'int' },
    company: { sql: 't.company_id', type: 'int' },
    nivel_acceso: { sql: 't.nivel_acceso', type: 'int' },
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz' }
  },
  filters: {
    user: refersTo('t.user_id'),
    company: refersTo('t.company_id'),
    nivel_acceso: equals('t.nivel_acceso', 'int'),
    updated_since: updatedSince
  },
  search: ['u.busqueda', 'c.busqueda'],
  writable: ['user', 'company', 'nivel_acceso'],
  defaults: () => ({}),
  problems,

  async remove (membership, em) {
    await em.nativeDelete(Membership, { id: membership['id'] })
  }
}

async function problems (proposal: Proposal, look: Look): Promise<Problem[]> {
  const { next, current } = proposal
  const { user: userId, company: companyId } = next as { user?: number, company?: number }
  if (!changes('user', proposal) && !changes('company', proposal)) return []

  const found: Problem[] = []
  const user = userId === undefined ? undefined : await look.find(users, userId)
  if (userId !== undefined && user === undefined) found.push(absent('user', userId))
  const company = companyId === undefined ? undefined : await look.find(companies, companyId)
  if (companyId !== undefined && company === undefined) found.push(absent('company', companyId))
  if (user === undefined || company === undefined) return found

  // Somebody of no customer may be placed anywhere, by those who see such users.
  if (user['customer'] !== null && user['customer'] !== company['customer']) found.push({ field: 'company', key: 'membershipAcrossCustomers' })
  if (await counted(look, 'from memberships where user_id = $1 and company_id = $2 and id is distinct from $3', [userId, companyId, current?.['id'] ?? null]) > 0) {
    found.push({ field: nonFieldErrors, key: 'uniqueSet', values: { field_names: 'user, company' } })
  }
  return found
}
