import { User } from '../entities/user.ts'
import { ApiError, type Problem } from '../errors.ts'
import { equals, refersTo, updatedSince } from '../resources/conditions.ts'
import type { Values } from '../resources/resource.ts'
import { hashPassword } from '../tokens/passwords.ts'
import { customerProblems } from './customers.ts'
import { withinReach } from './reach.ts'
import { changes, counted, type Look, type Proposal, type RemovableResource } from './resource.ts'

/** Users: who logs in. Their passwords come in and never go out. */
export const users: RemovableResource = {
  name: 'users',
  entity: User,
  scope: withinReach('t.customer_id'),
  item: 't.id, t.email, t.nombre, t.customer_id as customer, t.nivel_acceso, t.activo, t.created_at, t.updated_at, t.version',
  joins: '',
  lookedAt: '',
  detail: '',
  detailJoins: '',
  ordering: {
    email: { sql: 't.email', type: 'text' },
    nombre: { sql: 't.nombre', type: 'text' },
    customer: { sql: 't.customer_id', type: 'int', nullable: true },
    nivel_acceso: { sql: 't.nivel_acceso', type: 'int', nullable: true },
    created_at: { sql: 't.created_at', type: 'timestamptz' },
    updated_at: { sql: 't.updated_at', type: 'timestamptz' }
  },
  filters: {
    email: equals('t.email', 'text'),
    customer: refersTo('t.customer_id'),
    nivel_acceso: refersTo('t.nivel_acceso'),
    activo: equals('t.activo', 'boolean'),
    updated_since: updatedSince
  },
  search: ['t.busqueda'],
  writable: ['email', 'password', 'nombre', 'customer', 'nivel_acceso', 'activo'],
  defaults: ({ customer }) => ({ nombre: '', customer, nivel_acceso: null, company: null, activo: true }),
  problems,
  mayChange: (user, { level }) => (user['nivel_acceso'] ?? 0) <= level,

  async seal (values) {
    return values['password'] === undefined ? values : { ...values, password: await hashPassword(values['password'] as string) }
  },

  async afterwards (id, given, { run }) {
    if (given['password'] === undefined) return
    await run({ text: 'update sessions set revoked_at = clock_timestamp() where user_id = $1 and revoked_at is null', values: [id] })
  },

  /** A user is deactivated: what he did stays his. */
  async remove (user, em, look) {
    if (user['activo'] === false) return
    if (await isLastSuperusuario(user, look)) throw new ApiError(409, 'protected', 'lastSuperusuario')
    const entity = await em.findOneOrFail(User, user['id'])
    entity.activo = false
    await em.flush()
  }
}

async function problems (proposal: Proposal, look: Look): Promise<Problem[]> {
  const { given, next, current } = proposal
  const found = await customerProblems(proposal, look)
  if (next['nivel_acceso'] === 4 && next['customer'] === null && found.length === 0) found.push({ field: 'customer', key: 'levelNeedsCustomer' })
  if ((given['nivel_acceso'] as number | null ?? 0) > look.reach.level) found.push({ field: 'nivel_acceso', key: 'levelAboveOwn' })
  if (given['email'] !== undefined && await counted(look, 'from users where email = $1 and id is distinct from $2', [given['email'], current?.['id'] ?? null]) > 0) {
    found.push({ field: 'email', key: 'unique' })
  }
  if (current === undefined) return found

  // Memberships would go along, and the new customer's user keep the old one's companies.
  if (next['customer'] !== null && changes('customer', proposal)) {
    const count = await counted(look, 'from memberships m join companies c on c.id = m.company_id where m.user_id = $1 and c.customer_id <> $2', [current['id'], next['customer']])
    if (count > 0) found.push({ field: 'customer', key: 'userHasMemberships', values: { count } })
  }
  if (!isSuperusuario(next) && await isLastSuperusuario(current, look)) {
    if (next['activo'] === false) found.push({ field: 'activo', key: 'lastSuperusuario' })
    if (next['nivel_acceso'] !== 6) found.push({ field: 'nivel_acceso', key: 'lastSuperusuario' })
  }
  return found
}

function isSuperusuario (user: Values): boolean {
  return user['activo'] === true && user['nivel_acceso'] === 6
}

async function isLastSuperusuario (user: Values, look: Look): Promise<boolean> {
  return isSuperusuario(user) && await counted(look, 'from users where activo and nivel_acceso = 6 and id <> $1', [user['id']]) === 0
}
