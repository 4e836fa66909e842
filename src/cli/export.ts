import type { Command } from 'commander'
import { openFileStore } from '../server/open-file-store.ts'
import { exportCustomer, type Manifest } from './export/export-customer.ts'
import { listed } from './listed.ts'
import { CliError, report } from './output.ts'
import { id } from './values.ts'
import { commandConfig, type Databases } from './with-database.ts'

/** `obra export`. */
export function addExportCommand (program: Command, { withDatabase }: Databases): void {
  program.command('export')
    .description('write all data of one customer to a folder, as CSV and JSON; on PostgreSQL, the service can keep running')
    .requiredOption('--customer <id>', 'id of the customer (required)', id)
    .requiredOption('--to <folder>', 'new or empty folder (required)')
    .option('--no-files', 'leave out the files of attachments; files.json of each company lists them')
    .addHelpText('after', `
All records are of one moment. The folder has the customer, its companies, users, memberships and their history, and for each company
in companies/<id>/ a file per resource, the history, and in files/ the files of attachments, named by their SHA-256.
manifest.json is written last. It lists all files with their rows, bytes and SHA-256.

Passwords, sessions, and secrets of webhooks are not exported. Only you can read the folder: it has personal data.

Examples:
  $ obra export --customer 2 --to /srv/exports/customer-2
  $ obra export --customer 2 --to ./customer-2 --no-files`)
    .action(async ({ customer, to, files }: { customer: number, to: string, files: boolean }, command: Command) => {
      const store = files ? await openFileStore(commandConfig(), { warn () {} }) : undefined
      try {
        const manifest = await withDatabase(async database => await exportCustomer(database, customer, to, store))
        report(command, { folder: to, ...countsOf(manifest) }, textOf(to, manifest))
        const { lost } = manifest
        if (lost.length === 0) return
        throw new CliError(`files are missing or damaged in ${store?.place}: ${listed(lost)}; everything else is exported`)
      } finally {
        store?.close()
      }
    })
}

/** Numbers of companies, rows and files of an export. */
function countsOf ({ customer, companies, lists, files, lost }: Manifest) {
  // Each list is there twice.
  const rows = lists.filter(({ path }) => path.endsWith('.json')).reduce((sum, list) => sum + list.rows, 0)
  return { customer: customer.id, companies: companies.length, rows, files, lost: lost.length }
}

function textOf (folder: string, manifest: Manifest): string {
  const { companies, rows, files } = countsOf(manifest)
  const { nombre } = manifest.customer
  return `${folder}: ${nombre}, ${companies} companies, ${rows} rows, ${files ?? 'no'} files of attachments`
}
