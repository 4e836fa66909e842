import type { EntityManager } from '@mikro-orm/postgresql'
import { lockFor } from '../../database/connection/advisory-locks.ts'
import type { Orm } from '../../database/connection/orm.ts'
import { patientTransaction } from '../../database/turns/patient-transaction.ts'
import type { Sql } from '../../database/connection/sql.ts'
import { Company, Customer, Membership, User } from '../entities/index.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { loadRow, loadTree } from './contracts.ts'
import { demoCompanies, demoPassword, demoUsers } from './data.ts'

/** Loads the demo data if the database has no customer yet. @returns whether it was loaded */
export async function loadDemo (orm: Orm): Promise<boolean> {
  return await patientTransaction(orm, async (em) => {
    // If two processes start on an empty database, the second one waits and then finds customers.
    await em.execute(lockFor('demo').text)
    if (await em.count(Customer) > 0) return false
    const companies = await loadAccounts(em)
    await em.execute("select set_config('app.companies', ?, true)", [`{${Object.values(companies).join(',')}}`])
    await loadTree(em, companies['Obra Norte'])
    await loadRow(em, companies['Otra Uno'])
    return true
  })
}

/** Whether the database contains the demo accounts. They are not loaded if it had a customer before. */
export async function hasDemo (sql: Sql): Promise<boolean> {
  const emails = demoUsers.map(({ email }) => email)
  const rows = await sql.query({ text: 'select from users where email = any ($1::text[])', values: [emails] })
  return rows.length === emails.length
}

/** @returns ids of the companies by name */
async function loadAccounts (em: EntityManager): Promise<Record<string, number>> {
  const customers: Record<string, number> = {}
  const companies: Record<string, number> = {}
  for (const [nombre, names] of Object.entries(demoCompanies)) {
    const customer = em.create(Customer, { nombre })
    await em.flush()
    customers[nombre] = customer.id
    for (const name of names) {
      const company = em.create(Company, { nombre: name, customer: customer.id })
      await em.flush()
      companies[name] = company.id
    }
  }
  const password = await hashPassword(demoPassword)
  for (const { email, nombre, customer, account, member = {}, active } of demoUsers) {
    const user = em.create(User, {
      email,
      nombre,
      password,
      customer: customer === null ? null : customers[customer],
      nivel_acceso: account ?? null,
      company: active === null ? null : companies[active]
    })
    await em.flush()
    for (const [company, nivel] of Object.entries(member)) {
      em.create(Membership, { user: user.id, company: companies[company], nivel_acceso: nivel })
    }
  }
  await em.flush()
  return companies
}
