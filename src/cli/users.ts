import { randomBytes } from 'node:crypto'
import { Option, type Command } from 'commander'
import { Company, Membership, User } from '../domain/entities/index.ts'
import { hashPassword } from '../auth/passwords.ts'
import { patientTransaction } from '../database/turns/patient-transaction.ts'
import { CliError, report } from './output.ts'
import { askedPassword, askPassword, passwordFromStdin, passwordStdin, type PasswordOptions } from './password.ts'
import { email, id, name } from './values.ts'
import { withPlainErrors, type Databases } from './with-database.ts'

const levels = '1 Auxiliar, 2 Coordinador, 3 Director (in --company); 4 Corporativo, 5 Soporte, 6 Superusuario'

/** `obra create-superuser`, `create-user` and `set-password`. */
export function addUserCommands (program: Command, databases: Databases): void {
  program.command('create-superuser')
    .description('create a user of level 6; asks for the password')
    .argument('<email>', 'email address of the superuser', email)
    .option('--nombre <nombre>', 'name of the user', name, '')
    .option(...passwordStdin)
    .addHelpText('after', `
Examples:
  $ obra create-superuser raiz@example.mx
  $ obra create-superuser raiz@example.mx --password-stdin < password-file`)
    .action(async (email: string, { nombre, passwordStdin }: { nombre: string, passwordStdin?: boolean }, command: Command) => {
      const password = passwordStdin === true ? await passwordFromStdin() : await askedPassword()
      const created = await createUser(databases, { email, nombre, level: 6, password })
      report(command, created, `user ${created.id}: ${created.email}`)
    })

  program.command('create-user')
    .description('create a user and print a generated password')
    .argument('<email>', 'email address of the user', email)
    .addOption(new Option('--nivel <level>', `${levels} (required)`).choices(['1', '2', '3', '4', '5', '6']).makeOptionMandatory())
    .option('--company <id>', 'id of the active company (required for levels 1 to 3)', id)
    .option('--customer <id>', "id of the customer (default: the company's customer)", id)
    .option('--nombre <nombre>', 'name of the user', name, '')
    .option(...askPassword)
    .option(...passwordStdin)
    .addHelpText('after', `
Examples:
  $ obra create-user ana@example.mx --nivel 3 --company 1
  $ obra create-user corporativo@example.mx --nivel 4 --customer 1 --nombre 'Clara Corporativo' --ask-password
  $ obra create-user erp@example.mx --nivel 2 --company 1 --password-stdin < password-file`)
    .action(async (email: string, { nivel, askPassword, passwordStdin, ...options }: UserOptions, command: Command) => {
      const level = Number(nivel) as Level // the option admits only levels
      if (level <= 3 && options.company === undefined) command.error(`error: level ${level} needs --company`)
      if (level === 4 && options.company === undefined && options.customer === undefined) {
        command.error('error: level 4 needs --customer or --company')
      }
      const { password, made } = await givenOrGenerated({ askPassword, passwordStdin }, command)
      const created = { ...await createUser(databases, { email, level, password, ...options }), ...made }
      report(command, created, `user ${created.id}: ${created.email}${passwordNote(made)}`)
    })

  program.command('set-password')
    .description('set and print a generated password; ends all sessions of the user')
    .argument('<email>', 'email address of the user', email)
    .option(...askPassword)
    .option(...passwordStdin)
    .addHelpText('after', `
A wait after too many wrong passwords does not end.

Examples:
  $ obra set-password ana@example.mx
  $ obra set-password ana@example.mx --ask-password
  $ obra set-password ana@example.mx --password-stdin < password-file`)
    .action(async (email: string, options: PasswordOptions, command: Command) => {
      const { password, made } = await givenOrGenerated(options, command)
      const encoded = await hashPassword(password)
      // The first statement locks the user's row. A log-in with the old password has opened its session before, or fails.
      const [changed = [], ended = []] = await databases.withDatabase(async ({ sql }) => await sql.within([], 'read write', [
        { text: 'update users set password = $1 where email = $2 returning id', values: [encoded, email] },
        { text: endSessions, values: [email] }
      ]))
      const [user] = changed
      if (user === undefined) throw new CliError(`no such user: ${email}`)
      const text = `user ${user['id']}: ${email}, sessions ended: ${ended.length}${passwordNote(made)}`
      report(command, { id: user['id'], email, ended: ended.length, ...made }, text)
    })
}

const endSessions = `
  update sessions s set revoked_at = clock_timestamp() from users u
  where u.email = $1 and s.user_id = u.id and s.revoked_at is null
  returning s.id`

type Level = 1 | 2 | 3 | 4 | 5 | 6

interface UserOptions extends PasswordOptions {
  nivel: string
  company?: number
  customer?: number
  nombre: string
}

/** A password, and the same as `made` if it was generated, so that it is printed. */
interface ChosenPassword {
  password: string
  made?: { password: string }
}

/** The password from standard input or the terminal, or a generated one. @throws {CommanderError} for both options */
async function givenOrGenerated ({ askPassword, passwordStdin }: PasswordOptions, command: Command): Promise<ChosenPassword> {
  if (askPassword === true && passwordStdin === true) command.error('error: pass either --ask-password or --password-stdin')
  if (passwordStdin === true) return { password: await passwordFromStdin() }
  if (askPassword === true) return { password: await askedPassword() }
  const password = randomBytes(12).toString('base64url')
  return { password, made: { password } }
}

function passwordNote (made?: { password: string }): string {
  return made === undefined ? '' : `, password ${made.password}`
}

interface NewUser {
  email: string
  nombre: string
  level: Level
  password: string
  company?: number
  customer?: number
}

async function createUser ({ withDatabase }: Databases, { email, nombre, level, password, company, customer }: NewUser) {
  const encoded = await hashPassword(password)
  return await withDatabase(async ({ orm }) => await withPlainErrors(async () => await patientTransaction(orm, async (em) => {
    const owner = company === undefined ? null : await em.findOne(Company, company)
    if (company !== undefined && owner === null) throw new CliError(`no such company: ${company}`)
    if (level <= 4 && customer !== undefined && owner !== null && owner.customer !== customer) {
      throw new CliError(`company ${company} belongs to another customer`)
    }
    const user = em.create(User, {
      email,
      nombre,
      password: encoded,
      customer: customer ?? owner?.customer ?? null,
      nivel_acceso: level >= 4 ? level : null,
      company: company ?? null
    })
    await em.flush()
    if (level <= 3) {
      if (company === undefined) throw new CliError(`level ${level} needs a company`)
      em.create(Membership, { user: user.id, company, nivel_acceso: level })
      await em.flush()
    }
    return { id: user.id, email, nivel_acceso: level, company: company ?? null }
  })))
}
