/** Access levels (NIVELES_ACCESO): 1 Auxiliar, 2 Coordinador, 3 Director, 4 Corporativo, 5 Soporte, 6 Superusuario. */
export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** Operations on the active company's data, with the levels that are allowed to do them. */
export const operations = {
  read: [1, 2, 3, 4, 5, 6],
  edit: [2, 3, 4, 6],
  delete: [3, 4, 6],
  /** Authorize, pay or reject an estimate, authorize, sign or reject a change order, undo an authorization or the closing of a contract. */
  decide: [3, 4, 6],
  /** Read and manage webhooks. */
  webhooks: [3, 4, 6]
} as const satisfies Record<string, readonly Level[]>

/** An operation that a business route declares in its config. */
export type Operation = keyof typeof operations

/** Operations on accounts, with the account levels that are allowed to do them. They need no active company. */
export const accountOperations = {
  'accounts.read': [4, 5, 6],
  'accounts.manage': [4, 6],
  'customers.read': [5, 6],
  'customers.manage': [6]
} as const satisfies Record<string, readonly Level[]>

/** An operation on accounts that a route declares in its config. */
export type AccountOperation = keyof typeof accountOperations

/**
 * What a route requires of its caller:
 * - an operation on the active company's data: the caller's level in that company
 * - an operation on accounts: the account's own level
 * - `account`: a live session
 * - `refresh`: a live session, and an access token that may be expired
 * - `public`: nothing
 */
export type Access = Operation | AccountOperation | 'account' | 'refresh' | 'public'
