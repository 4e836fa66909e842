import type { Command } from 'commander'
import { Purge } from '../jobs/purging/purge.ts'
import { report } from './output.ts'
import type { Databases } from './with-database.ts'

/** `obra purge`. */
export function addPurgeCommand (program: Command, { withDatabase }: Databases): void {
  program.command('purge')
    .description('remove expired rows, as servers do every hour')
    .addHelpText('after', `
Expired rows are ended sessions, spent tokens, stored answers of Idempotency-Keys, old rows of the \`changes\` table, and log-in addresses.
You can run it while the service runs. Retention periods cannot be configured.

Example:
  $ obra purge --json`)
    .action(async (_options, command: Command) => {
      const removed = await withDatabase(async ({ sql }) => await new Purge(sql).run({ pause: 0, waitForLock: true }))
      const lines = Object.entries(removed).filter(([, rows]) => rows > 0).map(([table, rows]) => `${table}: ${rows} rows removed`)
      report(command, { removed }, lines.length === 0 ? 'no expired rows' : lines.join('\n'))
    })
}
