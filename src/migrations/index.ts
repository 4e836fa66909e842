import { Migration1Functions } from './migration-1-functions.ts'
import { Migration2Tables } from './migration-2-tables.ts'
import { Migration3Walls } from './migration-3-walls.ts'
import { Migration4Contrapartes } from './migration-4-contrapartes.ts'
import { Migration5Estimates } from './migration-5-estimates.ts'
import { Migration6Accounts } from './migration-6-accounts.ts'
import { Migration7Search } from './migration-7-search.ts'
import { Migration8Idempotency } from './migration-8-idempotency.ts'
import { Migration9Growth } from './migration-9-growth.ts'
import { Migration10KnownAddresses } from './migration-10-known-addresses.ts'
import { Migration11Ids } from './migration-11-ids.ts'
import { Migration12ClosedContracts } from './migration-12-closed-contracts.ts'
import { Migration13Callers } from './migration-13-callers.ts'
import { Migration14Purging } from './migration-14-purging.ts'
import { Migration15NameOrder } from './migration-15-name-order.ts'
import { Migration16LockedCompanies } from './migration-16-locked-companies.ts'

/** Every migration, in order. A landed one never changes. */
export const migrations = [
  { name: '1-functions', class: Migration1Functions },
  { name: '2-tables', class: Migration2Tables },
  { name: '3-walls', class: Migration3Walls },
  { name: '4-contrapartes', class: Migration4Contrapartes },
  { name: '5-estimates', class: Migration5Estimates },
  { name: '6-accounts', class: Migration6Accounts },
  { name: '7-search', class: Migration7Search },
  { name: '8-idempotency', class: Migration8Idempotency },
  { name: '9-growth', class: Migration9Growth },
  { name: '10-known-addresses', class: Migration10KnownAddresses },
  { name: '11-ids', class: Migration11Ids },
  { name: '12-closed-contracts', class: Migration12ClosedContracts },
  { name: '13-callers', class: Migration13Callers },
  { name: '14-purging', class: Migration14Purging },
  { name: '15-name-order', class: Migration15NameOrder },
  { name: '16-locked-companies', class: Migration16LockedCompanies }
]
