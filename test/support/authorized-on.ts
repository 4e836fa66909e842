import type { Row } from '../../src/database/connection/sql.ts'

/** Moves the authorization of an estimate to noon of a day, or to an unknown time, which only a migration can do. */
export async function authorizedOn (psql: (text: string, values?: unknown[]) => Promise<Row[]>, estimate: number, day: string | null): Promise<void> {
  await psql('alter table estimates disable trigger when_authorized_update')
  await psql('update estimates set autorizada_en = $2 where id = $1', [estimate, day === null ? null : `${day}T18:00:00Z`])
  await psql('alter table estimates enable trigger when_authorized_update')
}
