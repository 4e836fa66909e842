import { defineEntity, p } from '@mikro-orm/core'
import { users } from '../accounts/users.ts'

/** An address from which a user logged in within the last 100 days, as a keyed hash (decision 22). */
export const KnownAddress = defineEntity({
  name: 'KnownAddress',
  tableName: 'known_addresses',
  properties: {
    user: p.manyToOne(users.entity).mapToPk().primary().deleteRule('cascade').foreignKeyName('known_addresses_user_id_fkey'),
    address: p.string().length(43).primary(),
    logged_in_on: p.date().defaultRaw('current_date').index()
  }
})
