import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Option, type Command } from 'commander'
import { loadUsers } from './import-users/load.ts'
import { readRecords } from './import-users/records.ts'
import { CliError, remark, report } from './output.ts'
import { withProgress, type Progress } from './progress.ts'
import { id } from './values.ts'
import { withPlainErrors, type Databases } from './with-database.ts'

/** `obra import-users`. */
export function addImportCommand (program: Command, { withDatabase }: Databases): void {
  program.command('import-users')
    .description('import accounts of a Django service with their password hashes, all or none')
    .argument('<file>', 'JSON objects, one per line, or the output of `manage.py dumpdata`; - reads standard input')
    .option('--customer <id>', 'customer, if the file has none', id)
    .option('--company <id>', 'active company, if the file has none', id)
    .addOption(new Option('--nivel <level>', 'level, if the file has none').choices(['1', '2', '3', '4', '5', '6']))
    .option('--update', 'update existing accounts with the values of the file')
    .option('--dry-run', 'run the import, then roll it back')
    .addHelpText('after', `
A line has email and, optionally, password (pbkdf2_sha256$…, argon2$…, !… for none), is_active, nombre (or first_name
and last_name), customer, company, nivel_acceso, memberships ([{"company": 1, "nivel_acceso": 2}]).

Examples:
  $ obra import-users users.jsonl --dry-run
  $ manage.py dumpdata auth.user | obra import-users - --company 1 --nivel 2`)
    .action(async (path: string, { customer, company, nivel, ...options }: ImportOptions, command: Command) => {
      const text = textOf(path === '-' ? await buffer(process.stdin) : await readFile(path))
      const level = nivel === undefined ? undefined : Number(nivel)
      const { users, problems } = readRecords(text, { customer, company, nivel: level })
      if (problems.length > 0) refuse(command, problems)
      if (users.length === 0) throw new CliError('the file has no users')
      const loaded = await withDatabase(async ({ orm }) => {
        const load = async (progress: Progress) => await loadUsers(orm, users, options, progress)
        return await withPlainErrors(async () => await withProgress('users', load))
      })
      if (loaded.problems.length > 0) refuse(command, loaded.problems)
      const { created, updated } = loaded
      const dry = options.dryRun === true
      report(command, { created, updated, dry_run: dry }, `${dry ? 'would import' : 'imported'}: ${created} created, ${updated} updated`)
    })
}

interface ImportOptions {
  customer?: number
  company?: number
  nivel?: string
  update?: boolean
  dryRun?: boolean
}

/** Decodes UTF-8, without a byte order mark. @throws {CliError} for another encoding, which would change names silently */
function textOf (bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CliError('the file is not in UTF-8')
  }
}

function refuse (command: Command, problems: string[]): never {
  for (const problem of problems) remark(command, problem)
  throw new CliError(`problems: ${problems.length}, nothing was imported`)
}
