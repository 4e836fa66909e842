import type { Sql } from '../database/sql.ts'
import type { Names } from './names.ts'

/** Which accounts have logged in from which addresses in the last 100 days. */
export interface KnownAddresses {
  has: (account: string, address: string) => Promise<boolean>
  /** Somebody has logged in. */
  add: (account: string, address: string) => Promise<void>
}

/** Longer than a session may last, so that whoever has to log in again after one is known. */
const days = 100

/**
 * Known addresses in the database, under names that do not tell the address, and by the day. Those of more than 100 days are deleted, anybody's, when
 * there is one to be written: once a day for each account and address.
 * @param names by the present signing key, then by the one before
 */
export function knownAddresses (sql: Sql, names: [Names, ...Names[]]): KnownAddresses {
  return {
    async has (account, address) {
      const rows = await sql.query({
        name: 'known address',
        text: `
          select from known_addresses k join users u on u.id = k.user_id
          where u.email = $1 and k.address = any ($2::text[]) and k.logged_in_on > current_date - ${days}`,
        values: [account, names.map(nameOf => nameOf(account, address))]
      })
      return rows.length > 0
    },

    async add (account, address) {
      const written = await sql.query({
        name: 'remember address',
        text: `
          insert into known_addresses as k (user_id, address) select id, $2 from users where email = $1
          on conflict (user_id, address) do update set logged_in_on = excluded.logged_in_on where k.logged_in_on < excluded.logged_in_on
          returning user_id`,
        values: [account, names[0](account, address)]
      })
      if (written.length > 0) await sql.query({ name: 'forget addresses', text: `delete from known_addresses where logged_in_on <= current_date - ${days}`, values: [] })
    }
  }
}
