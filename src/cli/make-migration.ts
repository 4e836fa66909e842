import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { draftMigration } from './draft-migration.ts'
import { migrationSource } from './migration-source.ts'
import { companyResources } from '../domain/entities/index.ts'
import { migrations } from '../database/migrations/index.ts'
import { isLoad } from '../database/schema/declared.ts'
import { pendingMigrations } from '../server/migrate.ts'
import { CliError, report } from './output.ts'
import type { Databases } from './with-database.ts'

const migrationsFolder = join(import.meta.dirname, '../database/migrations')

/** `obra make-migration`. */
export function addMakeMigrationCommand (program: Command, { asOwner }: Databases): void {
  program.command('make-migration')
    .argument('<name>', 'lower-case words joined by hyphens')
    .description('draft a migration from the resource declarations')
    .option('--folder <folder>', 'folder for the file (default: src/database/migrations)')
    .action(async (name: string, { folder = migrationsFolder }: { folder?: string }, command: Command) => {
      if (!/^[a-z\d]+(?:-[a-z\d]+)*$/.test(name)) throw new CliError('the name must be lower-case words joined by hyphens')
      const statements = await asOwner(async ({ orm }) => {
        // Functions and triggers of the new declarations can need the tables of this migration.
        const isPending = (await pendingMigrations(orm)).some(name => !isLoad(name))
        if (isPending) throw new CliError('migrations are pending: run `obra migrate` first')
        return draftMigration((await orm.schema.getUpdateSchemaSQL({ wrap: false })).split(/;\n+/).filter(Boolean), companyResources)
      })
      if (statements.length === 0) throw new CliError('the database already matches the declarations')
      const number = Math.max(...migrations.map(({ name }) => Number.parseInt(name))) + 1
      const file = join(folder, `migration-${number}-${name}.ts`)
      await writeFile(file, migrationSource(number, name, statements), { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? new CliError(`${file} already exists`) : error
      })
      report(command, { file, statements }, `written to ${file}`)
    })
}
