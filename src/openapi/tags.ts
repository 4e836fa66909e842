import { registered } from '../domain/resources.ts'
import { webhooks } from '../domain/webhooks/resource.ts'

/** Groups of operations. */
export const tags = [
  { name: 'tokens', description: 'Log-in, and refresh, verification and revocation of tokens' },
  { name: 'me', description: "The caller's own account" },
  ...registered.map(({ name, about }) => ({ name, description: about })),
  { name: 'changes', description: 'Changes of all records, for clients that work offline' },
  { name: 'history', description: 'Changes of records, with the user of each' },
  { name: 'mutations', description: 'Edits of devices that work offline' },
  { name: webhooks.name, description: webhooks.about },
  { name: 'customers', description: 'Customers, which own companies' },
  { name: 'companies', description: 'Companies, each with separate data' },
  { name: 'users', description: 'Users' },
  { name: 'memberships', description: 'Memberships of users in companies, with access levels' },
  { name: 'health', description: 'Health checks' },
  { name: 'documentation', description: 'The OpenAPI document' }
]
