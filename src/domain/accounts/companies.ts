import { lockCompanies } from '../../database/turns/batch-requests.ts'
import type { Problem } from '../../http/errors.ts'
import { accountReference, text, timeZone } from '../../resources/declaration/fields.ts'
import { customerProblems, customers } from './customers.ts'
import { defineAccounts } from '../../resources/declaration/define-accounts.ts'
import { withinReach } from '../../resources/declaration/scope.ts'
import { changes, counted } from '../../resources/writing/account-writes.ts'
import { usualZone } from '../../resources/validation/time-zone.ts'
import type { Proposal, RuleContext } from '../../resources/declaration/account-resource.ts'
import { byName } from '../../resources/reading/ordering-keys.ts'

const fields = {
  nombre: text(200).required().orderable(byName)
    .describe('Name, unique in the customer.', 'Obra Bajío'),
  // A Superusuario sets the customer of a new company. Companies of a Corporativo belong to the Corporativo's customer.
  customer: accountReference(customers).indexed().orderable()
    .describe('Id of the customer that owns the company.', 1)
    .filterable('Id of the customer.', '7'),
  zona_horaria: timeZone().default(usualZone)
    .describe('Time zone (IANA) of times and days that a request gives without an offset.', usualZone)
}

/** Companies: the tenants. Each belongs to a customer. */
export const companies = defineAccounts({
  name: 'companies',
  title: 'Company',
  one: 'a company',
  many: 'companies',
  fields,
  search: { columns: ['nombre'] },
  table: {
    uniques: [{ name: 'companies_customer_nombre_unique', properties: ['customer', 'nombre'] }],
    triggers: {
      add_company_revision: { fires: 'after insert' },
      refuse_foreign_member: { fires: 'after update of customer_id', deferrable: 'initially immediate' },
      raise_revision: { fires: 'after update', rows: 'old table as old_rows new table as new_rows', calls: 'raise_company_revision' },
      switch_off_webhooks: { fires: 'after update of customer_id', when: 'old.customer_id <> new.customer_id' },
      raise_authority: {
        fires: 'after update', when: 'old.customer_id <> new.customer_id', calls: 'raise_authority_of_all', deferrable: 'initially deferred'
      },
      raise_authority_of_zone: {
        fires: 'after update',
        when: 'old.zona_horaria <> new.zona_horaria',
        calls: 'raise_authority_of_company',
        deferrable: 'initially deferred'
      },
      keep_time_zone: { fires: 'before insert or update of zona_horaria' }
    },
    raises: { companies_zona_horaria_known: { field: 'zona_horaria', key: 'notTimeZone' } }
  },
  scope: withinReach('t.customer_id'),
  owner: { company: 'id' },
  initial: ({ customer }) => customer === null ? {} : { customer },
  problems,
  // Other writers lock the company first, and then its row, by the foreign keys of their records.
  lock: async (id, { run }) => { await run(lockCompanies([id])) },
  examples: { create: { nombre: 'Obra Centro', customer: 1 }, patch: { nombre: 'Obra Noreste' } }
})

async function problems (proposal: Proposal<typeof fields>, rules: RuleContext): Promise<Problem[]> {
  const { next, current } = proposal
  const { customer, nombre } = next
  if (customer === undefined) return [{ field: 'customer', key: 'required' }]
  const found = await customerProblems(proposal, rules)
  if (found.length > 0) return found

  if (nombre !== undefined) {
    const others = 'from companies where customer_id = $1 and nombre = $2 and id is distinct from $3'
    const count = await counted(rules, others, [customer, nombre, current?.id ?? null])
    if (count > 0) found.push({ field: 'nombre', key: 'unique' })
  }
  // Members would move with the company to a customer that they do not belong to.
  if (current !== undefined && changes('customer', proposal)) {
    const members = 'from memberships m join users u on u.id = m.user_id where m.company_id = $1 and u.customer_id <> $2'
    const count = await counted(rules, members, [current.id, customer])
    if (count > 0) found.push({ field: 'customer', key: 'companyHasMembers', values: { count } })
  }
  return found
}
