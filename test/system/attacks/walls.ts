import type { Client, TestServer } from '../../support/helper.ts'
import type { Statement } from '../../../src/database/connection/sql.ts'
import { registered } from '../../../src/domain/resources.ts'
import { comparable, type Attack } from './tenants.ts'

type Take = (server: Pick<TestServer, 'psql' | 'database'>) => Promise<() => Promise<void>>

/** The tables of the business resources. */
const business = registered.map(({ name }) => name)

const tables = [...business, 'webhooks', 'webhook_deliveries', 'changes', 'history']

/** Drops the foreign keys that contain the company. @returns a function that adds them again */
export async function withoutKeys ({ psql }: Pick<TestServer, 'psql'>): Promise<() => Promise<void>> {
  const keys = await psql(`
    select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and pg_get_constraintdef(oid) ~ '^FOREIGN KEY \\(company_id, .*REFERENCES contr'`)
  if (keys.length < 7) throw new Error(`only ${keys.length} foreign keys contain the company`)
  for (const { of, name } of keys) await psql(`alter table ${of} drop constraint ${name}`)
  return async () => {
    for (const { of, name, definition } of keys) await psql(`alter table ${of} add constraint ${name} ${definition}`)
  }
}

/** The walls between tenants. Each entry removes one wall and returns a function that restores it. */
export const walls: Record<string, Take> = {
  'all walls': async () => async () => {},

  'no policies': async ({ psql }) => {
    for (const table of tables) await psql(`alter table ${table} disable row level security`)
    return async () => {
      for (const table of tables) await psql(`alter table ${table} enable row level security`)
    }
  },

  'no composite keys': withoutKeys,

  'no narrowing': async ({ database: { sql } }) => {
    const { within } = sql
    let widened = 0
    const wide = ({ name, text, values }: Statement<object>): Statement => {
      const without = text.replaceAll(/(?<!company_revisions r on (?:r\.)?)\b((?:[a-z]\.)?company_id) = q\.company\b/g, '$1 is not null')
      // This statement compares the callers' own memberships; it reads no records.
      if (without === text || name === 'check callers') return { name, text, values }
      widened++
      return { name: name === undefined ? undefined : `${name}, wide`, text: without, values }
    }
    sql.within = async (companies, mode, statements, ...options) => await within(companies, mode, statements.map(wide) as typeof statements, ...options)
    return async () => {
      sql.within = within
      if (widened === 0) throw new Error('no statement was widened: the attacks tested nothing')
    }
  }
}

const ofCompanies = [...business, 'contract_sums', 'webhooks', 'company_revisions', 'history', 'memberships']

/** All rows of the other tenant, as text. */
export async function trace ({ psql }: Pick<TestServer, 'psql'>): Promise<unknown> {
  return await psql(`
    with theirs as (select c.* from companies c join customers k on k.id = c.customer_id where k.nombre = 'Grupo Otra')
    ${ofCompanies.map(table => `select to_jsonb(r)::text as kept from ${table} r where company_id in (select id from theirs)`).join('\n    union all ')}
    union all select to_jsonb(u)::text from users u join theirs on u.customer_id = theirs.customer_id
    union all select to_jsonb(theirs)::text from theirs order by 1`)
}

const accounts = new Set(['companies', 'customers', 'users', 'memberships'])

/** Sends an attack for another tenant's record and for an absent one. @returns how the answers differ or which rule they break, else undefined */
export async function breach ({ psql }: Pick<TestServer, 'psql'>, clients: { business: Client, accounts: Client }, { resource, pair, changes, statuses, send }: Attack): Promise<string | undefined> {
  const client = accounts.has(resource) ? clients.accounts : clients.business
  const [theirs, absent] = [comparable(await send(client, pair.theirs), pair.theirs), comparable(await send(client, pair.absent), pair.absent)]
  if (changes && typeof pair.theirs === 'string') await free(psql, [pair.theirs, String(pair.absent)])
  if (JSON.stringify(theirs) !== JSON.stringify(absent)) return `${JSON.stringify(theirs)} is not ${JSON.stringify(absent)}`
  return statuses.includes(theirs.statusCode) ? undefined : `${theirs.statusCode} ${theirs.body}`
}

/** The business resources without other names than `external_id` that the statement below frees. */
const unnamed = business.filter(name => !['contracts', 'contrapartes', 'estimates', 'convenios', 'conceptos', 'pagos'].includes(name))

/** Renames the attacker's records whose names an attack has used, so that the next attack can use them. */
async function free (psql: TestServer['psql'], names: string[]): Promise<void> {
  await psql(`
    with own as (select c.id from companies c join customers k on k.id = c.customer_id where k.nombre = 'Constructora Demo'),
    contracts as (update contracts set folio = 'LIBRE-' || id, external_id = null where (folio = any ($1) or external_id = any ($1)) and company_id in (select id from own)),
    contrapartes as (update contrapartes set nombre = 'LIBRE-' || id, external_id = null, rfc = null where (nombre = any ($1) or external_id = any ($1) or rfc = any ($1)) and company_id in (select id from own)),
    estimates as (update estimates set external_id = null, factura_uuid = null
      where (external_id = any ($1) or factura_uuid::text = any ($1)) and company_id in (select id from own)),
    convenios as (update convenios set folio = '', external_id = null where (folio = any ($1) or external_id = any ($1)) and company_id in (select id from own)),
    conceptos as (update conceptos set clave = 'LIBRE-' || id, capitulo = '', external_id = null
      where (clave = any ($1) or capitulo = any ($1) or external_id = any ($1)) and company_id in (select id from own)),
    pagos as (update pagos set external_id = null, complemento_uuid = null
      where (external_id = any ($1) or complemento_uuid::text = any ($1)) and company_id in (select id from own)),
    ${unnamed.map(name => `${name} as (update ${name} set external_id = null where external_id = any ($1) and company_id in (select id from own)),`).join('\n    ')}
    users as (update users set nombre = 'LIBRE' where nombre = any ($1) and customer_id in (select id from customers where nombre = 'Constructora Demo')),
    webhooks as (update webhooks set external_id = null where external_id = any ($1) and company_id in (select id from own))
    update companies set nombre = 'LIBRE-' || id where nombre = any ($1) and id in (select id from own)`, [names])
}
