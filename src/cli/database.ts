import type { Command } from 'commander'
import { setUpLogin } from '../database/login.ts'
import { migrate } from '../server/migrate.ts'
import { demoPassword, demoUsers } from '../domain/demo/data.ts'
import { loadDemo } from '../domain/demo/load.ts'
import { CliError, report } from './output.ts'
import { commandConfig, type Databases } from './with-database.ts'

/** `obra migrate` and `obra demo`. */
export function addDatabaseCommands (program: Command, { asOwner, withDatabase }: Databases): void {
  program.command('migrate')
    .description('run pending migrations and set up the login of the servers')
    .option('--login <role>', 'existing role that servers log in as (default: the user of DATABASE_URL)')
    .addHelpText('after', '\nExample:\n  $ obra migrate --login obra_server')
    .action(async (options: { login?: string }, command: Command) => {
      const { names, login } = await asOwner(async ({ orm, kind }) => {
        if (kind === 'embedded' && options.login !== undefined) throw new CliError('the embedded database has no logins')
        const names = await migrate(orm, () => process.stderr.write('another session holds a lock: trying again\n'))
        return { names, login: kind === 'embedded' ? undefined : await setUpLogin(orm, options.login) }
      })
      const migrated = names.length === 0 ? 'nothing to migrate' : `migrated: ${names.join(', ')}`
      report(command, { migrated: names, ...login }, login?.changed === true ? `${migrated}\nset up the login ${login.login}` : migrated)
    })

  program.command('demo')
    .description('load the demo data into an empty database')
    .option('--yes', 'allow it in production, although its passwords are public')
    .action(async ({ yes }: { yes?: boolean }, command: Command) => {
      if (commandConfig().NODE_ENV === 'production' && yes !== true) throw new CliError('NODE_ENV is production: pass --yes to load accounts with a public password')
      const loaded = await withDatabase(async ({ orm }) => await loadDemo(orm))
      if (!loaded) throw new CliError('the database already has customers: demo data is only loaded into an empty database')
      const emails = demoUsers.map(({ email }) => email)
      report(command, { users: emails, password: demoPassword }, `loaded; log in with ${demoPassword} as ${emails.join(', ')}`)
    })
}
