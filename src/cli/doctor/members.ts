import type { Query } from './query.ts'
import { maxListed } from '../listed.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Finds members of another customer's companies. Older versions of the command line created them; the trigger checks only new writes. */
export async function examineMembers (query: Query): Promise<Finding[]> {
  const { ok, failed } = findingsOf('memberships')
  // Other checks report missing tables and migrations.
  const rows = await query(`
    select m.id, m.user_id as user, u.customer_id as customer, c.id as company, c.customer_id as owner, count(*) over ()::int as all
    from memberships m join users u on u.id = m.user_id join companies c on c.id = m.company_id
    where u.customer_id <> c.customer_id order by m.id limit ${maxListed}`)
  if (rows.length === 0) return [ok('all members belong to the customer of the company, or to no customer')]
  const findings = rows.map(({ id, user, customer, company, owner }) => failed(
    `user ${user} of customer ${customer} is a member of company ${company} of customer ${owner}: ` +
    `a Superusuario must delete it with DELETE memberships/${id}/, or move the user`))
  const more = rows[0]?.['all'] - rows.length
  return more > 0 ? [...findings, failed(`and ${more} more members of another customer's companies`)] : findings
}
