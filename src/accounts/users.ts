import { User } from '../entities/user.ts'
import { ApiError, type Problem } from '../errors.ts'
import { equals, refersTo, updatedSince } from '../resources/conditions.ts'
import { byName } from '../resources/ordering.ts'
import type { Values } from '../resources/resource.ts'
import { hashPassword } from '../tokens/passwords.ts'
import { customerProblems } from './customers.ts'
import { proveOwnPassword } from './own-password.ts'
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
    email: { sql: 't.email collate "C"', type: 'text' },
    nombre: byName,
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
  prove: proveOwnPassword,
  problems,
  mayChange: (user, { level }) => (user['nivel_acceso'] ?? 0) <= level,

  async seal (values) {
    return values['password'] === undefined ? values : { ...values, password: await hashPassword(values['password'] as string) }
  },

  /** A new password of one's own ends all sessions but the present one, as in `me/password/`. */
  async afterwards (id, given, { run, caller }) {
    if (given['password'] === undefined) return
    await run({
      text: 'update sessions set revoked_at = clock_timestamp() where user_id = $1 and revoked_at is null and ($1 <> $2::int or id <> $3::uuid)',
      values: [id, caller.user, caller.sid]
    })
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

  if (given['password'] !== undefined && current['id'] === look.caller.user && !await isStillVerified(look)) found.push({ field: 'current_password', key: 'wrongPassword' })
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

/** Whether the password verified before the transaction is still the caller's. The lock keeps it until the transaction ends. */
async function isStillVerified ({ run, caller, verified }: Look): Promise<boolean> {
  return (await run({ text: 'select from users where id = $1 and password = $2 for update', values: [caller.user, verified ?? null] })).length === 1
}
