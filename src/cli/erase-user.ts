import type { Command } from 'commander'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from '../database/connection/orm.ts'
import { CliError, report } from './output.ts'
import { userName, type UserName } from './values.ts'
import type { Databases } from './with-database.ts'

/** `obra erase-user`. */
export function addEraseCommand (program: Command, { asOwner }: Databases): void {
  program.command('erase-user')
    .description('replace the personal data of a user (email address or id), which cannot be undone; ends all sessions of the user')
    .argument('<user>', 'email address or id of the user', userName)
    .option('--yes', 'confirm; without it, the command only says whom it would erase')
    .addHelpText('after', `
The email address becomes erased-<id>@erased.invalid, the name and the password become empty, and the user cannot log in.
The history keeps the id of the user, without email addresses and names. You can run the command again with the id.

It runs as the owner of the tables, because servers cannot change the history.

Not erased: backups, log files, and what users wrote into records. See docs/guides/manage-users.md.

Examples:
  $ obra erase-user rosa@example.mx
  $ obra erase-user rosa@example.mx --yes
  $ obra erase-user 9 --yes`)
    .action(async (user: UserName, { yes }: { yes?: boolean }, command: Command) => {
      const erased = await asOwner(async ({ orm }) => await eraseUser(orm, user, yes === true))
      const { id, email, ended, entries } = erased
      report(command, erased, `user ${id}: now ${email}, sessions ended: ${ended}, entries of the history changed: ${entries}`)
    })
}

/** An erased user: the new email address, and the numbers of sessions that ended and of entries of the history that changed. */
interface Erasure {
  id: number
  email: string
  ended: number
  entries: number
}

/** @param isConfirmed otherwise it throws after it has found the user @throws {CliError} */
async function eraseUser (orm: Orm, name: UserName, isConfirmed: boolean): Promise<Erasure> {
  return await orm.em.fork().transactional(async (em) => {
    // 0 has the entries of accounts that belong to no company.
    await em.execute("select set_config('app.companies', '{0}', true)")
    const { id, email, nombre } = await lockUser(em, name)
    if (!isConfirmed) throw new CliError(`this cannot be undone: pass --yes to erase user ${id} (${email}, ${nombre})`)
    await em.execute(forgetAnswers, [id, id])
    await em.execute('delete from known_addresses where user_id = ?', [id])
    const ended = await em.execute<unknown[]>(`
      update sessions set revoked_at = clock_timestamp()
      where user_id = ? and revoked_at is null and expires_at > clock_timestamp() returning id`, [id])
    await em.execute(replaceData, [id])
    const entries = await em.execute<unknown[]>(forgetNames, [id])
    const [erased] = await em.execute<Array<{ email: string }>>('select email from users where id = ?', [id])
    return { id, email: erased?.email ?? '', ended: ended.length, entries: entries.length }
  })
}

interface LockedUser {
  id: number
  email: string
  nombre: string
}

/** @throws {CliError} for an unknown user, and for the last Superusuario, without whom nobody could manage the service */
async function lockUser (em: EntityManager, name: UserName): Promise<LockedUser> {
  const [column, value] = 'id' in name ? ['id', name.id] : ['email', name.email]
  const [user] = await em.execute<Array<LockedUser & { superusuario: boolean }>>(
    `select id, email, nombre, activo and coalesce(nivel_acceso, 0) = 6 as superusuario from users where ${column} = ? for update`, [value])
  if (user === undefined) throw new CliError(`no such user: ${value}`)
  if (!user.superusuario) return user
  const others = await em.execute('select from users where activo and nivel_acceso = 6 and id <> ? limit 1', [user.id])
  if (others.length === 0) throw new CliError('this is the last active Superusuario: create another one before')
  return user
}

/** Removes stored answers to requests with an `Idempotency-Key` that have an email address of the user, present or earlier. */
const forgetAnswers = `
  delete from idempotency_keys k using (
    select email from users where id = ?
    union
    select e.email from history h
    cross join lateral (values
      (case jsonb_typeof(h.fields -> 'email') when 'string' then h.fields ->> 'email' end),
      (h.fields -> 'email' ->> 0), (h.fields -> 'email' ->> 1)) e (email)
    where h.company_id = 0 and h.resource = 'users' and h.record_id = ?) known
  where k.company_id is null and position(known.email in k.body) > 0`

/**
 * A second run changes nothing, and adds no entry to the history. No log-in fits the password. The new address has a random part if another
 * user has the usual one, because anybody who creates users can give it.
 */
const replaceData = `
  update users set email = erased.email, nombre = '', password = '!', activo = false
  from (
    select u.id, case
      when u.email ~ ('^erased-' || u.id || '(-[0-9a-f]{8}){0,1}@erased[.]invalid$') then u.email
      when exists (select from users o where o.email = 'erased-' || u.id || '@erased.invalid')
        then 'erased-' || u.id || '-' || left(md5(random()::text), 8) || '@erased.invalid'
      else 'erased-' || u.id || '@erased.invalid' end as email
    from users u where u.id = ?) erased
  where users.id = erased.id and (users.email, users.nombre, users.password, users.activo) is distinct from (erased.email, '', '!', false)`

/** Removes email addresses and names from all entries about the user, also from that of the change above. */
const forgetNames = `
  update history set fields = fields - 'email' - 'nombre'
  where company_id = 0 and resource = 'users' and record_id = ? and jsonb_exists_any(fields, array['email', 'nombre'])
  returning 1`
