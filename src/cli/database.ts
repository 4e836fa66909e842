import type { Command } from 'commander'
import { settleLogins } from '../database/connection/logins.ts'
import { reserveDatabase } from '../database/connection/reservation.ts'
import { migrate } from '../server/migrate.ts'
import { demoPassword, demoUsers } from '../domain/demo/data.ts'
import { loadDemo } from '../domain/demo/load.ts'
import { CliError, remark, report } from './output.ts'
import { commandConfig, type Databases } from './with-database.ts'

/** `obra migrate` and `obra demo`. */
export function addDatabaseCommands (program: Command, { asOwner, withDatabase }: Databases): void {
  program.command('migrate')
    .description('run pending migrations, load changed functions and triggers, set up the login of the servers and close the database to ' +
      'other logins')
    .option('--login <role>', 'existing role that servers log in as (default: the user of DATABASE_URL)')
    .addHelpText('after', '\nExample:\n  $ obra migrate --login obra_server')
    .action(async (options: { login?: string }, command: Command) => {
      const { done, logins, reservation } = await asOwner(async ({ orm, kind }) => {
        if (kind === 'embedded' && options.login !== undefined) throw new CliError('the embedded database has no logins')
        const done = await migrate(orm, () => process.stderr.write('another session holds a lock: trying again\n'))
        if (kind === 'embedded') return { done }
        const logins = await settleLogins(orm, options.login)
        return { done, logins, reservation: await reserveDatabase(orm, logins.login) }
      })
      const { migrated, functions, triggers } = done
      const lines: string[] = []
      if (migrated.length > 0) lines.push(`migrated: ${migrated.join(', ')}`)
      for (const [kind, { loaded, dropped }] of Object.entries({ functions, triggers })) {
        if (loaded.length > 0) lines.push(`loaded ${kind}: ${loaded.length > 20 ? loaded.length : loaded.join(', ')}`)
        if (dropped.length > 0) lines.push(`dropped ${kind}: ${dropped.join(', ')}`)
      }
      if (lines.length === 0) lines.push('nothing to migrate')
      if (logins?.changed === true) lines.push(`set up the login ${logins.login}`)
      for (const login of logins?.restored ?? []) lines.push(`restored the settings of the owner ${login}`)
      if (reservation?.reserved === true) lines.push('only the owners and the logins of servers can connect now')
      report(command, { ...done, ...logins, reserved: reservation?.reserved }, lines.join('\n'))
      for (const line of logins?.remarks ?? []) remark(command, line)
      const forbidden = reservation?.forbidden ?? []
      if (forbidden.length > 0) {
        remark(command, `every login of the cluster may be able to connect; run as the owner of the database: ${forbidden.join('; ')}`)
      }
    })

  program.command('demo')
    .description('load the demo data into an empty database')
    .option('--yes', 'allow it in production, although its passwords are public')
    .action(async ({ yes }: { yes?: boolean }, command: Command) => {
      if (commandConfig().NODE_ENV === 'production' && yes !== true) {
        throw new CliError('NODE_ENV is production: pass --yes to load accounts with a public password')
      }
      const loaded = await withDatabase(async ({ orm }) => await loadDemo(orm))
      if (!loaded) throw new CliError('the database already has customers: demo data is only loaded into an empty database')
      const emails = demoUsers.map(({ email }) => email)
      report(command, { users: emails, password: demoPassword }, `loaded; log in with ${demoPassword} as ${emails.join(', ')}`)
    })
}
