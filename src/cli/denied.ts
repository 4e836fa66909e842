import type { Orm } from '../database/connection/orm.ts'
import { sessionIsOwner } from '../database/connection/owner.ts'
import { sqlState } from '../database/connection/sql-errors.ts'
import { CliError } from './output.ts'

const insufficientPrivilege = '42501'

/** The owners of the tables or, without tables, of the database. */
const owners = `
  select string_agg(distinct pg_get_userbyid(coalesce(c.relowner, d.datdba)), ' or ') as owners
  from pg_database d left join pg_class c on c.relkind in ('r', 'p') and c.relnamespace = to_regnamespace('public')
  where d.datname = current_database()`

/**
 * Explains an error of PostgreSQL about a missing privilege: which login lacks it, and which one has it.
 * @param orm the connection that lacks it
 * @returns another error unchanged
 */
export async function explainDenied (orm: Orm, error: unknown): Promise<unknown> {
  const denied = deniedIn(error)
  if (denied === undefined) return error
  const em = orm.em.fork()
  const [{ login, owner }] = await em.execute<[{ login: string, owner: boolean }]>(sessionIsOwner)
  const [{ owners: names }] = await em.execute<[{ owners: string }]>(owners)
  // MikroORM's message begins with the statement.
  const reason = denied.message.replace(/^.* - /s, '')
  const advice = owner
    ? 'is an owner of the database or of its tables, but lacks this privilege. Run the command as a superuser'
    : `does not own the tables. Run the command with the DATABASE_URL of ${names}`
  return new CliError(`${reason}: the login ${login} of DATABASE_URL ${advice}`)
}

/** The error or one of its causes, if it is about a missing privilege. */
function deniedIn (error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  return sqlState(error) === insufficientPrivilege ? error : deniedIn(error.cause)
}
