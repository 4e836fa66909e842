import { Migration } from '@mikro-orm/migrations'
import { readByIndex, statementsOf, walls } from './sql.ts'

/** The columns of the history of estimates. */
const shown = [
  'contract_id,tipo,numero,periodo_inicio,periodo_fin,descripcion,monto,lineas,anticipo,deductivas,estado,autorizada_en,motivo_rechazo',
  'factura_uuid,anticipo_porcentaje,retencion_porcentaje,iva_porcentaje,derechos_porcentaje,retencion_antes_iva',
  'amortizacion,retencion,cargos_antes_iva,subtotal,iva,derechos,cargos_despues_iva,neto,pagado,external_id'
]

/** Authorized estimates keep their cover sheets, and the time of the authorization. */
export class Migration63Caratulas extends Migration {
  override up (): void {
    this.addSql(statementsOf('caratulas', 'days', 'authorized', 'contract', 'figures', 'kept'))
    this.addSql(walls('caratulas'))
    this.addSql(readByIndex('contract_facts', 'caratula_of'))
    this.addSql(`call keep_history_of('estimates', '${shown.join()}', '', 'company_id', '')`)
  }
}
