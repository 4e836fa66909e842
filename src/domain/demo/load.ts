import type { EntityManager } from '@mikro-orm/postgresql'
import { lockFor } from '../../database/connection/advisory-locks.ts'
import type { Orm } from '../../database/connection/orm.ts'
import { patientTransaction } from '../../database/turns/patient-transaction.ts'
import type { Sql } from '../../database/connection/sql.ts'
import { Company, Contract, Contraparte, Customer, Estimate, Membership, User } from '../entities/index.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { demoCompanies, demoContrapartes, demoEstimates, demoPassword, demoTrades, demoUsers, demoWorks } from './data.ts'

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

async function loadContrapartes (em: EntityManager, company: number): Promise<number[]> {
  const created = demoContrapartes.map(party => em.create(Contraparte, { company, external_id: null, ...party }))
  await em.flush()
  return created.map(({ id }) => id)
}

interface DemoContract {
  folio: string
  descripcion: string
  monto: string
  contraparte: number
  parent: number | null
  anticipo_porcentaje?: string
  retencion_porcentaje?: string
}

const percentages = { anticipo_porcentaje: '10.00', retencion_porcentaje: '5.00' }

/** Six main contracts, each with three subcontracts of two parts: 60 contracts in three levels. */
async function loadTree (em: EntityManager, company: number): Promise<void> {
  const parties = await loadContrapartes(em, company)
  const add = (values: DemoContract) => em.create(Contract, { company, external_id: null, fecha_inicio: '2026-01-12', fecha_fin: '2027-06-30', ...values })
  for (const [work, descripcion] of demoWorks.entries()) {
    const folio = `ON-2026-${String(work + 1).padStart(3, '0')}`
    const millions = 48 + work * 13
    const main = add({ folio, descripcion, monto: `${millions}500000.00`, contraparte: parties[work % 2], parent: null, ...percentages })
    await em.flush()
    if (work === 0) await loadEstimates(em, company, main.id)
    for (const [trade, [name, parts]] of Object.entries(demoTrades).entries()) {
      const sub = add({
        folio: `${folio}-${'ABC'[trade]}`,
        descripcion: `${name}: ${descripcion}`,
        monto: `${3 + trade * 2 + work}750000.00`,
        contraparte: parties[2 + (work + trade) % 8],
        parent: main.id,
        ...percentages
      })
      await em.flush()
      for (const [part, detail] of parts.entries()) {
        add({
          folio: `${folio}-${'ABC'[trade]}${part + 1}`,
          descripcion: `${detail}: ${descripcion}`,
          monto: `${875 + part * 150 + work * 10}320.50`,
          contraparte: parties[2 + (work + trade + part + 1) % 8],
          parent: sub.id
        })
      }
      await em.flush()
    }
  }
}

/** 25 contracts without subcontracts. */
async function loadRow (em: EntityManager, company: number): Promise<void> {
  const parties = await loadContrapartes(em, company)
  for (let number = 1; number <= 25; number++) {
    em.create(Contract, {
      company,
      folio: `OU-${String(number).padStart(4, '0')}`,
      descripcion: `${demoWorks[number % demoWorks.length]}, frente ${number}`,
      monto: `${number * 125}400.00`,
      contraparte: parties[number % parties.length],
      parent: null,
      fecha_inicio: '2026-02-02',
      fecha_fin: null,
      external_id: null
    })
  }
  await em.flush()
}

async function loadEstimates (em: EntityManager, company: number, contract: number): Promise<void> {
  for (const [month, estimate] of demoEstimates.entries()) {
    const day = (of: number, number: number) => new Date(Date.UTC(2026, of, number)).toISOString().slice(0, 10)
    await em.insert(Estimate, { company, contract, periodo_inicio: day(month + 1, 1), periodo_fin: day(month + 2, 0), external_id: null, factura_uuid: null, ...estimate })
  }
}
