import type { Problem } from '../../http/errors.ts'
import { text } from '../../resources/declaration/fields.ts'
import { defineAccounts } from '../../resources/declaration/define-accounts.ts'
import { withinReach } from '../../resources/declaration/scope.ts'
import { absent, changes } from '../../resources/writing/account-writes.ts'
import type { RuleContext } from '../../resources/declaration/account-resource.ts'
import { byName } from '../../resources/reading/ordering-keys.ts'

/** Customers: the top-level accounts, which own companies. */
export const customers = defineAccounts({
  name: 'customers',
  title: 'Customer',
  one: 'a customer',
  many: 'customers',
  access: { read: 'customers.read', write: 'customers.manage', remove: 'customers.manage' },
  fields: {
    nombre: text(200).required().orderable(byName)
      .describe('Name of the customer.', 'Constructora del Norte')
  },
  search: { columns: ['nombre'] },
  scope: withinReach('t.id'),
  owner: { customer: 'id' },
  problems: async () => []
})

/** A proposed record that belongs to a customer, or to none. */
interface Owned {
  next: { customer?: number | null }
  current?: { customer: number | null }
}

/** Problems of the `customer` of a record. */
export async function customerProblems (proposal: Owned, rules: RuleContext): Promise<Problem[]> {
  const { customer } = proposal.next
  if (customer === undefined || !changes('customer', proposal)) return []
  // Only a Superusuario manages accounts without a customer.
  if (customer === null) return rules.reach.customer === null ? [] : [{ field: 'customer', key: 'null' }]
  return await rules.find(customers, customer) === undefined ? [absent('customer', customer)] : []
}
