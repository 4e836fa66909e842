import { nonFieldErrors, type Problem } from '../../http/errors.ts'
import { accountReference, level } from '../../resources/declaration/fields.ts'
import { companies } from './companies.ts'
import { raiseAuthorityOnTruncate } from '../../database/schema/triggers.ts'
import { defineAccounts } from '../../resources/declaration/define-accounts.ts'
import { ofReachedCompanies } from '../../resources/declaration/scope.ts'
import { absent, changes, counted } from '../../resources/writing/account-writes.ts'
import { users } from './users.ts'
import type { Proposal, RuleContext } from '../../resources/declaration/account-resource.ts'

const fields = {
  user: accountReference(users).required().orderable()
    .describe('Id of the user.', 8)
    .filterable('Id of the user.', '7'),
  company: accountReference(companies).required().indexed().orderable()
    .describe('Id of the company.', 1)
    .filterable('Id of the company.', '7'),
  nivel_acceso: level(1, 3).required().orderable()
    .describe('Access level in the company: 1 Auxiliar, 2 Coordinador, 3 Director.', 2)
    .filterable('Memberships of this level: 1, 2 or 3.', '2')
}

/** Memberships: a user's level in one company. They belong to the company's customer. */
export const memberships = defineAccounts({
  name: 'memberships',
  title: 'Membership',
  one: 'a membership',
  many: 'memberships',
  fields,
  search: { columns: [], others: ['u.busqueda', 'c.busqueda'] },
  // A Corporativo does not see members without a customer. Their names must not be searchable either, or they could be guessed letter by
  // letter.
  filterJoins: `left join users u on u.id = t.user_id and (q.customer is null or u.customer_id = q.customer)
    join companies c on c.id = t.company_id`,
  table: {
    uniques: [{ name: 'memberships_user_company_unique', properties: ['user', 'company'] }],
    triggers: {
      refuse_foreign_member: { fires: 'after insert or update of user_id, company_id', deferrable: 'initially immediate' },
      ...raiseAuthorityOnTruncate,
      raise_authority: { fires: 'after insert or delete or update', calls: 'raise_authority_of_user', deferrable: 'initially deferred' }
    }
  },
  scope: ofReachedCompanies,
  owner: { company: 'company_id' },
  problems,
  routes: { remove: { summary: 'Remove a membership' } },
  examples: { create: { user: 8, company: 1, nivel_acceso: 2 }, patch: { nivel_acceso: 2 } },

  async removal (membership, em) {
    await em.nativeDelete(memberships.entity, { id: membership.id })
  }
})

async function problems (proposal: Proposal<typeof fields>, rules: RuleContext): Promise<Problem[]> {
  const { next: { user: userId, company: companyId }, current } = proposal
  if (!changes('user', proposal) && !changes('company', proposal)) return []

  const found: Problem[] = []
  const user = userId === undefined ? undefined : await rules.find(users, userId)
  if (userId !== undefined && user === undefined) found.push(absent('user', userId))
  const company = companyId === undefined ? undefined : await rules.find(companies, companyId)
  if (companyId !== undefined && company === undefined) found.push(absent('company', companyId))
  if (user === undefined || company === undefined) return found

  // A user without a customer can be a member of any company. Only callers who see such users can add them.
  if (user['customer'] !== null && user['customer'] !== company['customer']) {
    found.push({ field: 'company', key: 'membershipAcrossCustomers' })
  }
  const same = 'from memberships where user_id = $1 and company_id = $2 and id is distinct from $3'
  if (await counted(rules, same, [userId, companyId, current?.id ?? null]) > 0) {
    found.push({ field: nonFieldErrors, key: 'uniqueSet', values: { field_names: 'user, company' } })
  }
  return found
}
