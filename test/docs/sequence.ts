/** The guides that are followed on one database with one server, in an order in which a customer takes them. */
export const sequence = [
  'manage-users',
  'move-accounts-from-django',
  'export-a-customer',
  'receive-webhooks',
  'sync-an-erp',
  'use-spreadsheets',
  'bill-a-contract',
  'follow-the-progress',
  'retain-and-return',
  'deliver-and-settle',
  'send-photos',
  'build-an-offline-app',
  'back-up-and-restore',
  'change-signing-keys',
  'run-several-processes'
].map(pageOf)

/** The other guides with commands that run, each with the reason. */
export const apart: Record<string, string> = {
  [pageOf('run-in-production')]: 'it begins with an empty database, and its servers have a login of their own'
}

function pageOf (guide: string): string {
  return `docs/guides/${guide}.md`
}
