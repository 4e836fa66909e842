import type { Command } from 'commander'
import { patientTransaction } from '../database/turns/patient-transaction.ts'
import { Company, Customer } from '../domain/entities/index.ts'
import { report } from './output.ts'
import { id, name } from './values.ts'
import { withPlainErrors, type Databases } from './with-database.ts'

/** `obra create-customer` and `create-company`. */
export function addAccountCommands (program: Command, { withDatabase }: Databases): void {
  program.command('create-customer')
    .description('create a customer, which owns companies')
    .argument('<nombre>', 'name of the customer', name)
    .addHelpText('after', "\nExample:\n  $ obra create-customer 'Constructora Ejemplo'")
    .action(async (nombre: string, _options, command: Command) => {
      const created = await withDatabase(async ({ orm }) => {
        const customer = await withPlainErrors(async () => await patientTransaction(orm, async (em) => {
          const customer = em.create(Customer, { nombre })
          await em.flush()
          return customer
        }))
        return { id: customer.id, nombre }
      })
      report(command, created, `customer ${created.id}: ${nombre}`)
    })

  program.command('create-company')
    .description('create a company of a customer')
    .argument('<nombre>', 'name of the company', name)
    .requiredOption('--customer <id>', 'id of the customer (required)', id)
    .addHelpText('after', "\nExample:\n  $ obra create-company 'Obra Centro' --customer 1")
    .action(async (nombre: string, { customer }: { customer: number }, command: Command) => {
      const created = await withDatabase(async ({ orm }) => {
        const company = await withPlainErrors(async () => await patientTransaction(orm, async (em) => {
          const company = em.create(Company, { nombre, customer })
          await em.flush()
          return company
        }))
        return { id: company.id, nombre, customer }
      })
      report(command, created, `company ${created.id}: ${nombre}`)
    })
}
