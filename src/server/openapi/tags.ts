import type { Operation } from './operation.ts'

/** What operations are grouped by. */
export const tags = [
  { name: 'tokens', description: 'Logging in, refreshing, verifying and revoking tokens' },
  { name: 'me', description: "The caller's own account" },
  { name: 'contracts', description: 'Contracts, which form trees' },
  { name: 'estimates', description: 'Estimates: progress billing on contracts' },
  { name: 'contrapartes', description: 'Counterparties: the parties to contracts' },
  { name: 'customers', description: 'Customers, which own companies' },
  { name: 'companies', description: 'Companies, whose data is kept apart' },
  { name: 'users', description: 'Users, who log in' },
  { name: 'memberships', description: "Users' places and levels in companies" },
  { name: 'health', description: 'Whether the service is up, and ready' },
  { name: 'documentation', description: 'This document' }
]

/** The tag of a route that names none: the first part of its address. */
export function tagOf ({ url }: Operation): string {
  const part = url.replace(/^\/api\/v1/, '').split('/')[1] ?? ''
  return part.startsWith('api-token') ? 'tokens' : part
}
