import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { normalizeEmail } from '../accounts/email.ts'
import { Company, Customer, Membership, User } from '../entities/index.ts'
import { sqlState } from '../database/sql.ts'
import { recordId } from '../resources/conditions.ts'
import { hashPassword } from '../tokens/passwords.ts'
import { CliError, report } from './output.ts'
import { withDatabase } from './with-database.ts'

function id (value: string): number {
  const number = recordId(value)
  if (number === 0) throw new InvalidArgumentError('not an id')
  return number
}

function name (value: string): string {
  const trimmed = value.trim().normalize('NFC')
  if (trimmed === '') throw new InvalidArgumentError('a name may not be blank')
  return trimmed
}

/** `obra create-customer`, `create-company` and `create-user`. */
export function addAccountCommands (program: Command): void {
  program.command('create-customer')
    .description('create a customer: the top-level account, which owns companies')
    .argument('<nombre>', 'name of the customer', name)
    .action(async (nombre: string, _options, command: Command) => {
      const created = await withDatabase(async ({ orm }) => {
        const em = orm.em.fork()
        const customer = em.create(Customer, { nombre })
        await told(async () => await em.flush())
        return { id: customer.id, nombre }
      })
      report(command, created, `customer ${created.id}: ${nombre}`)
    })

  program.command('create-company')
    .description('create a company of a customer')
    .argument('<nombre>', 'name of the company', name)
    .requiredOption('--customer <id>', 'the customer that owns it', id)
    .action(async (nombre: string, { customer }: { customer: number }, command: Command) => {
      const created = await withDatabase(async ({ orm }) => {
        const em = orm.em.fork()
        const company = em.create(Company, { nombre, customer })
        await told(async () => await em.flush())
        return { id: company.id, nombre, customer }
      })
      report(command, created, `company ${created.id}: ${nombre}`)
    })

  program.command('create-user')
    .description('create a user; the password is read from standard input with --password-stdin, else made up and printed')
    .argument('<email>', 'what the user logs in with')
    .addOption(new Option('--nivel <level>', '1 Auxiliar, 2 Coordinador, 3 Director (in --company); 4 Corporativo, 5 Soporte, 6 Superusuario (of the account)').choices(['1', '2', '3', '4', '5', '6']).makeOptionMandatory())
    .option('--company <id>', 'the company that becomes active', id)
    .option('--customer <id>', "the customer that the user belongs to; by default the company's", id)
    .option('--nombre <nombre>', 'name of the user', name, '')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (email: string, options: UserOptions, command: Command) => {
      const created = await createUser(email, options)
      report(command, created, `user ${created.id}: ${created.email}${created.password === undefined ? '' : `, password ${created.password}`}`)
    })
}

interface UserOptions {
  nivel: string
  company?: number
  customer?: number
  nombre: string
  passwordStdin?: boolean
}

async function createUser (email: string, { nivel, company, customer, nombre, passwordStdin }: UserOptions) {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CliError(`${email} is no email address`)
  const level = Number(nivel) as 1 | 2 | 3 | 4 | 5 | 6
  if (level <= 3 && company === undefined) throw new CliError(`level ${level} is held in a company: name it with --company`)
  if (level === 4 && company === undefined && customer === undefined) throw new CliError('level 4 is held in a customer: name it with --customer')
  const made = passwordStdin === true ? undefined : randomBytes(12).toString('base64url')
  const password = made ?? (await text(process.stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new CliError('the password is empty')

  return await withDatabase(async ({ orm }) => await told(async () => await orm.em.fork().transactional(async (em) => {
    const owner = company === undefined ? null : await em.findOne(Company, company)
    if (company !== undefined && owner === null) throw new CliError(`there is no company ${company}`)
    if (level === 4 && customer !== undefined && owner !== null && owner.customer !== customer) throw new CliError(`company ${company} is another customer's`)
    const user = em.create(User, {
      email: normalizeEmail(email),
      nombre,
      password: await hashPassword(password),
      customer: customer ?? owner?.customer ?? null,
      nivel_acceso: level >= 4 ? level : null,
      company: company ?? null
    })
    await em.flush()
    if (level <= 3) {
      em.create(Membership, { user: user.id, company: company as number, nivel_acceso: level })
      await em.flush()
    }
    return { id: user.id, email: user.email, nivel_acceso: level, company: company ?? null, password: made }
  })))
}

/** The database's refusals in the words of the command line. */
async function told<T> (work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    switch (sqlState(error)) {
      case '23505': throw new CliError('there is one of that name already')
      case '23503': throw new CliError('the customer or company named is not there')
      case '22001': throw new CliError('the name is too long')
      default: throw error
    }
  }
}
