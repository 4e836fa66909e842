import type { Command } from 'commander'
import { Purge } from '../purging/purge.ts'
import { report } from './output.ts'
import type { Databases } from './with-database.ts'

/** `obra purge`. */
export function addPurgeCommand (program: Command, { withDatabase }: Databases): void {
  program.command('purge')
    .description('remove expired rows, as servers do every hour: ended sessions, spent tokens, answers under an Idempotency-Key, old entries of the change log, addresses of log-ins')
    .addHelpText('after', '\nThe service goes on meanwhile. How long rows are kept is fixed.\n\nExample:\n  $ obra purge --json')
    .action(async (_options, command: Command) => {
      const removed = await withDatabase(async ({ sql }) => await new Purge(sql).run({ pause: 0, patient: true }))
      const lines = Object.entries(removed).filter(([, rows]) => rows > 0).map(([table, rows]) => `${table}: ${rows} rows removed`)
      report(command, { removed }, lines.length === 0 ? 'nothing has expired' : lines.join('\n'))
    })
}
