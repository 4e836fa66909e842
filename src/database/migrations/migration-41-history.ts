import { Migration } from '@mikro-orm/migrations'
import { statementsOf, walls } from './sql.ts'

/** The arguments of `keep_history_of`, by table. Migration 49 adds contracts and estimates, with all their columns. */
const recorded = {
  customers: "'nombre', '', '', 'id'",
  companies: "'nombre,customer_id', '', 'id', ''",
  contrapartes: "'nombre,rfc,rfc_warning,tipo,email,telefono,direccion,notas,activo,external_id', '', 'company_id', ''",
  users: "'email,nombre,customer_id,nivel_acceso,activo', 'password', '', 'customer_id'",
  memberships: "'user_id,company_id,nivel_acceso', '', 'company_id', ''",
  webhooks: "'url,events,descripcion,batch,activo,motivo_inactivo,external_id', 'secrets', 'company_id', ''"
}

/** The history of records and accounts (decision 51). */
export class Migration41History extends Migration {
  override up (): void {
    this.addSql(statementsOf('history', 'table', 'keep-history-of'))
    this.addSql(walls('history'))
    for (const [table, args] of Object.entries(recorded)) this.addSql(`call keep_history_of('${table}', ${args})`)
  }
}
