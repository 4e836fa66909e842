import type { LevelInputs } from '../database/callers.ts'

/** Levels of access (NIVELES_ACCESO): 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte, 6 Superusuario. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** What a business route does, and the levels that may do it. */
export const operations = {
  read: [1, 2, 3, 4, 5, 6],
  edit: [2, 3, 4, 6],
  delete: [3, 4, 6],
  /** To authorize, pay or reject an estimate. */
  decide: [3, 4, 6]
} as const satisfies Record<string, readonly Level[]>

/** An operation that a business route declares in its config. */
export type Operation = keyof typeof operations

/** What a route of the account management does, and the account levels that may do it; an active company has no part in it. */
export const accountOperations = {
  'accounts.read': [4, 5, 6],
  'accounts.manage': [4, 6],
  'customers.read': [5, 6],
  'customers.manage': [6]
} as const satisfies Record<string, readonly Level[]>

/** An operation on accounts that a route declares in its config. */
export type AccountOperation = keyof typeof accountOperations

/**
 * What a route asks of its caller:
 * - an operation on the active company's data, by the caller's level there
 * - an operation on accounts, by the account's own level
 * - `account`: to be logged in
 * - `refresh`: an access token that may be past its expiry
 * - `public`: nothing
 */
export type Access = Operation | AccountOperation | 'account' | 'refresh' | 'public'

/** Whether somebody of that level may do that. */
export function may (level: Level, operation: Operation): boolean {
  return (operations[operation] as readonly Level[]).includes(level)
}

/** Whether what a route asks for is an operation on accounts. */
export function isAccountOperation (access: Access): access is AccountOperation {
  return Object.hasOwn(accountOperations, access)
}

/** Whether an account of that level (null: none of its own) may do that. */
export function mayManage (level: number | null, operation: AccountOperation): boolean {
  return (accountOperations[operation] as readonly (number | null)[]).includes(level)
}

/** The level that a user has in a company, or null where the user may not be: account levels hold wherever they reach. */
export function levelIn ({ account, customer, companyCustomer, membership }: LevelInputs): Level | null {
  if (account === 5 || account === 6) return account
  if (account === 4 && customer === companyCustomer) return account
  return membership as Level | null
}
