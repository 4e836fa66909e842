import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addAccountCommands } from './accounts.ts'
import { addBackupCommands } from './backup.ts'
import { addCompletionCommand } from './completion.ts'
import { addDatabaseCommands } from './database.ts'
import { addOpenapiCommand } from './openapi.ts'
import { addDoctorCommand } from './doctor.ts'
import { addEraseCommand } from './erase-user.ts'
import { addExportCommand } from './export.ts'
import { addImportCommand } from './import-users.ts'
import { addMakeMigrationCommand } from './make-migration.ts'
import { addPurgeCommand } from './purge.ts'
import { addSecretCommand } from './secret.ts'
import { addSeedCommand } from './seed.ts'
import { addSessionCommands } from './sessions.ts'
import { addStartCommand } from './start.ts'
import { addUserCommands } from './users.ts'
import { asOwner, withDatabase, type Databases } from './with-database.ts'

/** The `obra` program, by default on the database of the environment. It throws instead of ending the process. */
export function obraProgram (databases: Databases = { asOwner, withDatabase }): Command {
  const program = new Command('obra')
    .description('Obra: construction management. ' +
      'Environment variables select the database and the limits, see docs/reference/variables.md.')
    .version(manifest.version)
    .option('--json', 'print the result as one line of JSON')
    .addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted, 141 closed output.')
    .showHelpAfterError('(use --help for a list of commands and options)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  addStartCommand(program)
  addDatabaseCommands(program, databases)
  addMakeMigrationCommand(program, databases)
  addAccountCommands(program, databases)
  addUserCommands(program, databases)
  addImportCommand(program, databases)
  addEraseCommand(program, databases)
  addSessionCommands(program, databases)
  addSecretCommand(program)
  addBackupCommands(program, databases)
  addExportCommand(program, databases)
  addPurgeCommand(program, databases)
  addSeedCommand(program, databases)
  addOpenapiCommand(program)
  addDoctorCommand(program)
  addCompletionCommand(program) // last: it completes the commands above
  return program
}
