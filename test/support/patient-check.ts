import { ConnectionCheck } from '../../src/database/connection/connection-check.ts'
import { primarySettings } from '../../src/database/connection/session-settings.ts'

/** The service's check of new connections to PostgreSQL, with 60 s instead of 2 for its query: a busy machine can stall. */
export function patientCheck (): ConnectionCheck {
  return new ConnectionCheck(primarySettings, 60_000)
}
