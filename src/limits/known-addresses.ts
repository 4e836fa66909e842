import { day } from '../config/limit.ts'
import { limits } from '../config/limits.ts'
import type { Sql } from '../database/connection/sql.ts'
import type { Names } from './names.ts'

/** Addresses from which accounts logged in within the last 100 days. */
export interface KnownAddresses {
  has: (account: string, address: string) => Promise<boolean>
  /** Records a log-in. */
  add: (account: string, address: string) => Promise<void>
}

/** Longer than a session, so that the address is still known when the next log-in is due. */
export const rememberedDays = limits.rates.knownMs / day

/**
 * Known addresses in the database, as keyed hashes with a date. Written once a day for each account and address. The purge removes expired
 * ones.
 * @param names by the current signing key, then by the previous one
 */
export function knownAddresses (sql: Sql, names: [Names, ...Names[]]): KnownAddresses {
  return {
    async has (account, address) {
      const rows = await sql.query({
        name: 'known address',
        text: `
          select from known_addresses k join users u on u.id = k.user_id
          where u.email = $1 and k.address = any ($2::text[]) and k.logged_in_on > current_date - ${rememberedDays}`,
        values: [account, names.map(nameOf => nameOf(account, address))]
      })
      return rows.length > 0
    },

    async add (account, address) {
      await sql.query({
        name: 'remember address',
        text: `
          insert into known_addresses as k (user_id, address) select id, $2 from users where email = $1
          on conflict (user_id, address) do update set logged_in_on = excluded.logged_in_on where k.logged_in_on < excluded.logged_in_on`,
        values: [account, names[0](account, address)]
      })
    }
  }
}
