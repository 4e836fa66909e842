import type { Command } from 'commander'
import { migrate } from '../server/open-database.ts'
import { demoPassword, demoUsers } from '../domain/demo/data.ts'
import { loadDemo } from '../domain/demo/load.ts'
import { CliError, report } from './output.ts'
import { commandConfig, type Databases } from './with-database.ts'

/** `obra migrate` and `obra demo`. */
export function addDatabaseCommands (program: Command, { asOwner, withDatabase }: Databases): void {
  program.command('migrate')
    .description('run pending migrations')
    .action(async (_options, command: Command) => {
      const names = await asOwner(async ({ orm }) => await migrate(orm))
      report(command, { migrated: names }, names.length === 0 ? 'nothing to migrate' : `migrated: ${names.join(', ')}`)
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
