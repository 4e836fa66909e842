import { p } from '@mikro-orm/core'
import { httpError, type Problem } from '../../http/errors.ts'
import { accountEmail, accountReference, boolean, level, password, text } from '../../resources/declaration/fields.ts'
import { limitHashing } from '../../limits/hashing.ts'
import type { BodyOf } from '../../resources/declaration/values.ts'
import { TooManyLogIns } from '../../auth/schemas.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { companies } from './companies.ts'
import { customerProblems, customers } from './customers.ts'
import { defineAccounts } from '../../resources/declaration/define-accounts.ts'
import { proveOwnPassword } from './own-password.ts'
import { withinReach } from '../../resources/declaration/scope.ts'
import { changes, counted, type AccountInput } from '../../resources/writing/account-writes.ts'
import type { Proposal, RuleContext } from '../../resources/declaration/account-resource.ts'
import { byName } from '../../resources/reading/ordering-keys.ts'

const fields = {
  email: accountEmail().required().orderable({ sql: 't.email collate "C"' })
    .describe('Email address for log-in, in lower case. Unique.', 'director@demo.example')
    .describeInput({ examples: ['residente@demo.example'] })
    .filterable('The user with this email address.'),
  password: password().required().writeOnly(),
  current_password: password('Current password. Required to change your own `password`, refused otherwise.', 'the present one')
    .writeOnly('on update'),
  nombre: text(200).default('').orderable(byName)
    .describe('Display name.', 'Daniela Director'),
  customer: accountReference(customers).nullable().indexed().orderable()
    .describe("Id of the user's customer.", 1)
    .filterable('Id of the customer, or `null` for users without one.', '1'),
  nivel_acceso: level(4, 6).nullable().orderable()
    .describe('Access level of the account, 4 to 6. Memberships have levels 1 to 3.', null)
    .filterable('Access level of the account, 4 to 6, or `null` for users without one.', '4'),
  activo: boolean().default(true)
    .describe('Whether the user can log in.')
    .filterable('Users who can log in (`true`) or cannot (`false`).')
}

/** Users: accounts that can log in. Passwords are never part of an answer. */
export const users = defineAccounts({
  name: 'users',
  title: 'User',
  one: 'a user',
  many: 'users',
  fields,
  search: { columns: ['nombre', 'email'] },
  columns: { company: p.manyToOne(companies.entity).mapToPk().strictNullable().index() },
  table: {
    indexes: [
      {
        name: 'users_pbkdf2_index',
        expression: "create index users_pbkdf2_index on users ((split_part(password, '$', 2)::int)) where password like 'pbkdf2_sha256$%'"
      },
      { name: 'users_superusuarios_index', properties: ['id'], where: 'activo and nivel_acceso = 6' }
    ],
    triggers: {
      end_sessions: { fires: 'after update of activo', when: 'old.activo and not new.activo' },
      refuse_foreign_member: { fires: 'after update of customer_id', deferrable: 'initially immediate' },
      raise_authority: {
        fires: 'after update',
        when: 'old.activo <> new.activo or old.nivel_acceso is distinct from new.nivel_acceso or ' +
          'old.customer_id is distinct from new.customer_id or old.company_id is distinct from new.company_id',
        calls: 'raise_authority_of_user',
        deferrable: 'initially deferred'
      }
    }
  },
  scope: withinReach('t.customer_id'),
  owner: { customer: 'customer_id' },
  initial: ({ customer }) => ({ customer, nivel_acceso: null, company: null }),
  routes: {
    update: { response: { 429: TooManyLogIns } },
    remove: { summary: 'Deactivate a user', description: "Ends the user's sessions and prevents log-in. Keeps the record." }
  },
  examples: {
    create: { email: 'residente@demo.example', password: 'a longer pass phrase', nombre: 'Rosa Residente', customer: 1 },
    update: { email: 'auxiliar@demo.example', nombre: 'Ana Auxiliar Ruiz' },
    patch: { nombre: 'Ana Auxiliar Ruiz' }
  },
  problems,
  mayChange: (user, { level }) => (user.nivel_acceso ?? 0) <= level,

  /** Verifies the caller's current password before a change of it, and hashes the new password if the input is valid. */
  async prepare (request, input): Promise<AccountInput<BodyOf<typeof fields>>> {
    const verified = request.method === 'POST' ? undefined : await proveOwnPassword(request, input)
    const { password } = input.values
    if (password === undefined || input.problems.length > 0) return { ...input, verified }
    const hashed = await limitHashing(request, async () => await hashPassword(password))
    return { ...input, values: { ...input.values, password: hashed }, verified }
  },

  /** A new password ends all sessions of the user. The caller's own session stays, as in `me/password/`. */
  async afterwards (id, given, { run, caller }) {
    if (given.password === undefined) return
    await run({
      text: `
        update sessions set revoked_at = clock_timestamp()
        where user_id = $1 and revoked_at is null and ($1 <> $2::int or id <> $3::uuid)`,
      values: [id, caller.user, caller.sid]
    })
  },

  /** Deactivates the user. The user's records stay. */
  async removal (user, em, rules) {
    if (user.activo === false) return
    if (await isLastSuperusuario(user, rules)) throw httpError(409, { code: 'protected', key: 'lastSuperusuario' })
    const entity = await em.findOneOrFail(users.entity, user.id)
    entity.activo = false
    await em.flush()
  }
})

async function problems (proposal: Proposal<typeof fields>, rules: RuleContext): Promise<Problem[]> {
  const { given, next, current } = proposal
  const found = await customerProblems(proposal, rules)
  if (next.nivel_acceso === 4 && next.customer === null && found.length === 0) found.push({ field: 'customer', key: 'levelNeedsCustomer' })
  if ((given.nivel_acceso ?? 0) > rules.reach.level) found.push({ field: 'nivel_acceso', key: 'levelAboveOwn' })
  if (given.email !== undefined) {
    const count = await counted(rules, 'from users where email = $1 and id is distinct from $2', [given.email, current?.id ?? null])
    if (count > 0) found.push({ field: 'email', key: 'unique' })
  }
  if (current === undefined) return found

  if (given.password !== undefined && current.id === rules.caller.user && !await isStillVerified(rules)) {
    found.push({ field: 'current_password', key: 'wrongPassword' })
  }
  // Otherwise a user who moves to another customer would keep memberships in the old customer's companies.
  if (next.customer !== null && changes('customer', proposal)) {
    const elsewhere = 'from memberships m join companies c on c.id = m.company_id where m.user_id = $1 and c.customer_id <> $2'
    const count = await counted(rules, elsewhere, [current.id, next.customer])
    if (count > 0) found.push({ field: 'customer', key: 'userHasMemberships', values: { count } })
  }
  if (!isSuperusuario(next) && await isLastSuperusuario(current, rules)) {
    if (next.activo === false) found.push({ field: 'activo', key: 'lastSuperusuario' })
    if (next.nivel_acceso !== 6) found.push({ field: 'nivel_acceso', key: 'lastSuperusuario' })
  }
  return found
}

/** A user, as far as the rule about the last Superusuario needs it. */
interface Leveled {
  activo?: boolean
  nivel_acceso?: number | null
}

function isSuperusuario ({ activo, nivel_acceso: level }: Leveled): boolean {
  return activo === true && level === 6
}

async function isLastSuperusuario (user: Leveled & { id: number }, rules: RuleContext): Promise<boolean> {
  return isSuperusuario(user) && await counted(rules, 'from users where activo and nivel_acceso = 6 and id <> $1', [user.id]) === 0
}

/** Whether the verified password is still the caller's. The row lock keeps it until the end of the transaction. */
async function isStillVerified ({ run, caller, verified }: RuleContext): Promise<boolean> {
  const found = await run({
    text: 'select from users where id = $1 and password = $2 for update', values: [caller.user, verified ?? null]
  })
  return found.length === 1
}
