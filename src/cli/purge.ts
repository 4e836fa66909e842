import type { Command } from 'commander'
import { purgeHistory } from '../jobs/purging/history.ts'
import { Purge } from '../jobs/purging/purge.ts'
import { CliError, report } from './output.ts'
import { day } from './values.ts'
import type { Databases } from './with-database.ts'

const before = 'also remove entries of the history from before this day (YYYY-MM-DD, UTC), which servers never do'

/** The first day of the year that the history keeps unless the operator confirms: one year before a day, `YYYY-MM-DD`, in UTC. */
function yearBefore (day: Date): string {
  return new Date(Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), day.getUTCDate())).toISOString().slice(0, 10)
}

/** `obra purge`. */
export function addPurgeCommand (program: Command, { withDatabase, asOwner }: Databases): void {
  program.command('purge')
    .description('remove expired rows, as servers do every hour')
    .option('--history-before <day>', before, day)
    .option('--yes', 'confirm a day that is less than a year back')
    .addHelpText('after', `
Expired rows are ended sessions, spent tokens, stored answers of Idempotency-Keys, old rows of the \`changes\` table, and log-in addresses.
You can run it while the service runs. Retention periods cannot be configured.

The history is removed as the owner of the tables. A backup is the only way back, so a day that is less than a year back, or in the
future, needs --yes.

Examples:
  $ obra purge --json
  $ obra purge --history-before 2020-01-01`)
    .action(async ({ historyBefore, yes = false }: { historyBefore?: string, yes?: boolean }, command: Command) => {
      const kept = yearBefore(new Date())
      if (historyBefore !== undefined && historyBefore > kept && !yes) {
        throw new CliError(`this cannot be undone: pass --yes to remove the history from after ${kept} too, up to ${historyBefore}`)
      }
      const expired = await withDatabase(async ({ sql }) => await new Purge(sql).run({ pause: 0, waitForLock: true }))
      const removed: Record<string, number> = { ...expired }
      if (historyBefore !== undefined) removed['history'] = await asOwner(async ({ orm }) => await purgeHistory(orm, historyBefore))
      const lines = Object.entries(removed).filter(([, rows]) => rows > 0).map(([table, rows]) => `${table}: ${rows} rows removed`)
      report(command, { removed }, lines.length === 0 ? 'no expired rows' : lines.join('\n'))
    })
}
