import type { Options } from '@mikro-orm/postgresql'

/**
 * Parts of the schema that MikroORM does not compare. Only `obra migrate` creates them. MikroORM's schema update does not change them.
 *
 * | Not compared | Checked by |
 * | --- | --- |
 * | functions and procedures, also of triggers | `routines.test.ts`; `obra doctor` (functions, and rights of security definers) |
 * | whether a trigger is enabled, and its exact definition | `routines.test.ts`; `obra doctor` (triggers) |
 * | the table `search_resources` and the schema `search` | `test/unit/resources/reading/search.test.ts` |
 * | roles, owners and grants | `obra doctor` (role, rights) |
 * | whether a foreign key or check is valid for old rows | `test/system/walls/tables.test.ts` |
 * | order of columns, names and limits of sequences | `test/unit/database/migrations/ids.test.ts` |
 *
 * Compared in part:
 * - An index declared as a statement (`expression`) is compared by its name: indexes on expressions, and the index with
 *   `nulls not distinct`. MikroORM has no other way to declare them.
 * - A column's collation is not compared if it is the database's own, such as "C" on the embedded database.
 * - Conditions are compared as PostgreSQL prints them, without casts, parentheses, quotes and qualifiers such as `new.`. Write `<> all
 *   (array[…])`, not `not in (…)`, and `>= and <=`, not `between`. `obra doctor` (policies) compares the policies exactly.
 */
export const schemaGenerator: Options['schemaGenerator'] = {
  ignoreRoutines: true,
  ignoreSchema: ['search'],
  skipTables: ['search_resources']
}
