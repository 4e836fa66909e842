import type { TestServer } from './helper.ts'

/** Ids of the demo accounts: customers and companies by name, users by email address. */
export interface DemoIds {
  customers: Record<string, number>
  companies: Record<string, number>
  users: Record<string, number>
}

/** Looks up the ids of the demo accounts. */
export async function demoIds ({ psql }: Pick<TestServer, 'psql'>): Promise<DemoIds> {
  const named = async (table: string, column: string) => Object.fromEntries((await psql(`select ${column} as name, id from ${table}`)).map(({ name, id }) => [name, id]))
  return { customers: await named('customers', 'nombre'), companies: await named('companies', 'nombre'), users: await named('users', 'email') }
}

/** The messages for a reference to a record that does not exist. */
export function absent (id: number | string): string[] {
  return [`Invalid pk "${id}" - object does not exist.`]
}

/** The body of a 403 for an insufficient level. */
export const denied = { detail: 'You do not have permission to perform this action.', code: 'permission_denied' }

/** The body of a 404. */
export const missing = { detail: 'Not found.', code: 'not_found' }
