import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addAccountCommands } from './accounts.ts'
import { addDatabaseCommands } from './database.ts'
import { addOpenapiCommand } from './openapi.ts'
import { addDoctorCommand } from './doctor.ts'
import { addSeedCommand } from './seed.ts'
import { addStartCommand } from './start.ts'

/** The `obra` command with all its commands. It throws where Commander would end the process. */
export function obraProgram (): Command {
  const program = new Command('obra')
    .description('Obra: construction management. The database and the limits are those of the environment, see the README.')
    .version(manifest.version)
    .option('--json', 'print the result as one line of JSON')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage.')
    .showHelpAfterError('(--help shows what there is)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
  addStartCommand(program)
  addDatabaseCommands(program)
  addAccountCommands(program)
  addSeedCommand(program)
  addOpenapiCommand(program)
  addDoctorCommand(program)
  return program
}
