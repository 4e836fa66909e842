import type { Command } from 'commander'
import { sessionLives } from '../auth/authority.ts'
import { lifetimes } from '../auth/claims.ts'
import { retrying } from '../database/connection/postgres-sql.ts'
import { CliError, report, table } from './output.ts'
import { email, id } from './values.ts'
import type { Databases } from './with-database.ts'

// A session that is not refreshed ends with its last refresh token.
const live = `
  select s.id as session, u.id as user, u.email, s.created_at, coalesce(r.refreshed_at, s.created_at) as refreshed_at,
    least(s.expires_at, coalesce(r.refreshed_at, s.created_at) + make_interval(secs => ${lifetimes.refresh})) as ends_at
  from sessions s join users u on u.id = s.user_id
  left join lateral (select max(created_at) as refreshed_at from refresh_tokens where session_id = s.id) r on true
  where ${sessionLives}`

/** `obra list-sessions` and `revoke-sessions`. */
export function addSessionCommands (program: Command, { withDatabase }: Databases): void {
  program.command('list-sessions')
    .description('list live sessions')
    .option('--user <email>', 'sessions of this user', email)
    .option('--company <id>', 'sessions with this active company', id)
    .addHelpText('after', '\nExamples:\n  $ obra list-sessions --user ana@example.mx\n  $ obra list-sessions --json')
    .action(async ({ user, company }: { user?: string, company?: number }, command: Command) => {
      const sessions = await withDatabase(async ({ sql }) => await sql.query({
        text: `select * from (${live} and ($1::text is null or u.email = $1) and ($2::int is null or u.company_id = $2)) s
          where ends_at > clock_timestamp() order by created_at desc, session`,
        values: [user ?? null, company ?? null]
      }))
      const rows = sessions.map(({ session, email, created_at: created, refreshed_at: refreshed, ends_at: ends }) => (
        [session, email, minute(created), minute(refreshed), minute(ends)]))
      const heads = ['SESSION', 'USER', 'CREATED (UTC)', 'REFRESHED', 'ENDS']
      report(command, { sessions }, rows.length === 0 ? 'no sessions' : table(heads, rows))
    })

  program.command('revoke-sessions')
    .description('end sessions, selected by one of --user, --session and --all')
    .option('--user <email>', 'all sessions of this user', email)
    .option('--session <id>', 'session with this id')
    .option('--all', 'all sessions; needs --yes')
    .option('--yes', 'confirm --all')
    .addHelpText('after', '\nExamples:\n  $ obra revoke-sessions --user ana@example.mx\n  $ obra revoke-sessions --all --yes')
    .action(async ({ user, session, all, yes }: RevokeOptions, command: Command) => {
      const given = [user, session, all].filter(option => option !== undefined)
      if (given.length !== 1) command.error('error: pass exactly one of --user, --session, --all')
      if (all === true && yes !== true) command.error('error: this logs out all users: pass --yes')
      if (session !== undefined && !sessionId.test(session)) command.error(`error: ${session} is not a session id`)
      const revoked = await withDatabase(async ({ sql }) => {
        if (user !== undefined) {
          const found = await sql.query({ text: 'select from users where email = $1', values: [user] })
          if (found.length === 0) throw new CliError(`no such user: ${user}`)
        }
        // A deadlock with another change of many users is possible, such as an import.
        return await retrying(async () => await sql.query({
          text: `update sessions s set revoked_at = clock_timestamp() from users u
            where u.id = s.user_id and ${sessionLives} and ($1::text is null or u.email = $1) and ($2::uuid is null or s.id = $2)
            returning s.id`,
          values: [user ?? null, session ?? null]
        }))
      })
      if (session !== undefined && revoked.length === 0) throw new CliError(`no such live session: ${session}`)
      report(command, { revoked: revoked.length }, `sessions ended: ${revoked.length}`)
    })
}

const sessionId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface RevokeOptions {
  user?: string
  session?: string
  all?: boolean
  yes?: boolean
}

function minute (instant: string): string {
  return instant.slice(0, 16).replace('T', ' ')
}
