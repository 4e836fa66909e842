import type { Command } from 'commander'
import { migrate } from '../server/open-database.ts'
import { demoPassword, demoUsers } from '../domain/demo/data.ts'
import { loadDemo } from '../domain/demo/load.ts'
import { CliError, report } from './output.ts'
import { commandConfig, type Databases } from './with-database.ts'

/** `obra migrate` and `obra demo`. */
export function addDatabaseCommands (program: Command, { asOwner, withDatabase }: Databases): void {
  program.command('migrate')
    .description('run the migrations that have not run')
    .action(async (_options, command: Command) => {
      const names = await asOwner(async ({ orm }) => await migrate(orm))
      report(command, { migrated: names }, names.length === 0 ? 'nothing to migrate' : `migrated: ${names.join(', ')}`)
    })

  program.command('demo')
    .description('load the demo data into an empty database')
    .option('--yes', 'do it in production too, where everybody knows its password')
    .action(async ({ yes }: { yes?: boolean }, command: Command) => {
      if (commandConfig().NODE_ENV === 'production' && yes !== true) throw new CliError('this is production: say --yes to load accounts whose password is published')
      const loaded = await withDatabase(async ({ orm }) => await loadDemo(orm))
      if (!loaded) throw new CliError('there are customers already: the demo data goes into an empty database only')
      const emails = demoUsers.map(({ email }) => email)
      report(command, { users: emails, password: demoPassword }, `loaded; log in with ${demoPassword} as ${emails.join(', ')}`)
    })
}
