import t from 'tap'
import { levelIn } from '../../../../src/auth/authority.ts'
import { makeActive, readMe } from '../../../../src/domain/accounts/me.ts'
import { openTestDatabase } from '../../../support/helper.ts'

const { database: { sql }, psql } = await openTestDatabase(t)

const companies = await psql('select id, nombre, customer_id as customer from companies order by id') as Array<{ id: number, nombre: string, customer: number }>
const customers = [null, ...new Set(companies.map(({ customer }) => customer))]

/** A user of every combination of account level, customer and memberships. */
const users = await psql(`
  with made as (
    insert into users (email, password, nivel_acceso, customer_id)
    select concat_ws('-', coalesce(account, 0), coalesce(customer, 0), coalesce(member, 0)) || '@any.example', '!', account, customer
    from unnest($1::int[]) account, unnest($2::int[]) customer, unnest($3::int[]) member
    returning id, email, nivel_acceso as account, customer_id as customer)
  select * from made`, [[null, 4, 5, 6], customers, [null, ...companies.map(({ id }) => id)]]) as Array<{ id: number, email: string, account: number | null, customer: number | null }>
const memberOf = ({ email }: { email: string }) => Number(email.split('@')[0]?.split('-')[2])
// Includes members of another customer's companies, as created before the constraint.
await psql('alter table memberships disable trigger refuse_foreign_member')
await psql('insert into memberships (user_id, company_id, nivel_acceso) select id, company, 2 from unnest($1::int[], $2::int[]) as m (id, company) where company > 0', [users.map(({ id }) => id), users.map(memberOf)])
await psql('alter table memberships enable trigger refuse_foreign_member')
const sids = new Map((await psql("insert into sessions (id, user_id, expires_at) select gen_random_uuid(), id, now() + interval '1 hour' from users returning id, user_id")).map(({ id, user_id: user }) => [user as number, id as string]))
const caller = (user: number) => ({ user, sid: sids.get(user) as string })

t.test('for any account, the listed companies, those that can be made active, and those with a level are the same', async (t) => {
  t.equal(users.length, 4 * customers.length * (companies.length + 1))
  for (const user of users) {
    const { id, email, account, customer } = user
    const expected = companies
      .map(company => ({ id: company.id, nombre: company.nombre, nivel_acceso: levelIn({ account, customer, companyCustomer: company.customer, membership: company.id === memberOf(user) ? 2 : null }) }))
      .filter(({ nivel_acceso: level }) => level !== null)
    t.strictSame(await readMe(sql, id), { id, email, nombre: '', nivel_acceso: account, company: null, companies: expected }, email)
    for (const company of companies) {
      const reachable = expected.find(({ id }) => id === company.id)
      t.equal(await makeActive(sql, caller(id), company.id), reachable !== undefined, `${email} → ${company.nombre}`)
      if (reachable !== undefined) t.match(await readMe(sql, id), { company: company.id, nivel_acceso: reachable.nivel_acceso }, `${email} in ${company.nombre}`)
    }
  }
})

t.test('an absent company cannot be made active; null always can', async (t) => {
  const { id: user } = users.find(({ account }) => account === 6) as { id: number }
  t.equal(await makeActive(sql, caller(user), companies[0]?.id), true)
  t.equal(await makeActive(sql, caller(user), 2_000_000_000), false)
  t.equal((await readMe(sql, user)).company, companies[0]?.id)
  t.equal(await makeActive(sql, caller(user), null), true)
  t.equal((await readMe(sql, user)).company, null)
  t.equal(await makeActive(sql, { ...caller(user), user: 2_000_000_000 }, null), false, 'nobody’s')
  await psql('update sessions set revoked_at = now() where user_id = $1', [user])
  t.equal(await makeActive(sql, caller(user), companies[0]?.id), false, 'with an ended session')
  t.equal((await readMe(sql, user)).company, null)
})
