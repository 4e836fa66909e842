import { Migration1Functions } from './migration-1-functions.ts'
import { Migration2Tables } from './migration-2-tables.ts'
import { Migration3Walls } from './migration-3-walls.ts'
import { Migration4Contrapartes } from './migration-4-contrapartes.ts'
import { Migration7Search } from './migration-7-search.ts'

/** Every migration, in order. A landed one never changes. */
export const migrations = [
  { name: '1-functions', class: Migration1Functions },
  { name: '2-tables', class: Migration2Tables },
  { name: '3-walls', class: Migration3Walls },
  { name: '4-contrapartes', class: Migration4Contrapartes },
  { name: '7-search', class: Migration7Search }
]
