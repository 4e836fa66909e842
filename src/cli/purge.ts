import type { Command } from 'commander'
import { purgeHistory } from '../jobs/purging/history.ts'
import { Purge } from '../jobs/purging/purge.ts'
import { report } from './output.ts'
import { day } from './values.ts'
import type { Databases } from './with-database.ts'

const before = 'also remove entries of the history from before this day (YYYY-MM-DD, UTC), which servers never do'

/** `obra purge`. */
export function addPurgeCommand (program: Command, { withDatabase, asOwner }: Databases): void {
  program.command('purge')
    .description('remove expired rows, as servers do every hour')
    .option('--history-before <day>', before, day)
    .addHelpText('after', `
Expired rows are ended sessions, spent tokens, stored answers of Idempotency-Keys, old rows of the \`changes\` table, and log-in addresses.
You can run it while the service runs. Retention periods cannot be configured.

The history is removed as the owner of the tables.

Examples:
  $ obra purge --json
  $ obra purge --history-before 2020-01-01`)
    .action(async ({ historyBefore }: { historyBefore?: string }, command: Command) => {
      const expired = await withDatabase(async ({ sql }) => await new Purge(sql).run({ pause: 0, waitForLock: true }))
      const removed: Record<string, number> = { ...expired }
      if (historyBefore !== undefined) removed['history'] = await asOwner(async ({ orm }) => await purgeHistory(orm, historyBefore))
      const lines = Object.entries(removed).filter(([, rows]) => rows > 0).map(([table, rows]) => `${table}: ${rows} rows removed`)
      report(command, { removed }, lines.length === 0 ? 'no expired rows' : lines.join('\n'))
    })
}
