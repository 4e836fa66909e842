#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addAccountCommands } from './accounts.ts'
import { addDatabaseCommands } from './database.ts'
import { addSeedCommand } from './seed.ts'

const program = new Command('obra')
  .description('Obra: construction management. The database and the limits are those of the environment, see the README.')
  .version(manifest.version)
  .option('--json', 'print the result as one line of JSON')
  .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage.')
  .showHelpAfterError('(--help shows what there is)')
  .configureHelp({ showGlobalOptions: true })
  .exitOverride()

addDatabaseCommands(program)
addAccountCommands(program)
addSeedCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? usageExit(error) : failed(error as Error)
}

function usageExit ({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : 2
}

function failed ({ message }: Error): number {
  process.stderr.write(`obra: ${message.split('\n', 1)[0]}\n`)
  return 1
}
