import type { SigningConfig } from '../auth/signing-key.ts'
import type { Database } from '../database/database.ts'

/** Options of the application: its configuration with a signing key, and its open database. */
export interface AppOptions {
  config: SigningConfig
  database: Database
}
