import { Migration } from '@mikro-orm/migrations'
import { fixed, readByIndex, statementsOf } from './sql.ts'

/** The columns of the history of estimates. */
const shown = [
  'contract_id,tipo,numero,periodo_inicio,periodo_fin,descripcion,monto,lineas,anticipo,deductivas,estado,motivo_rechazo',
  'factura_uuid,anticipo_porcentaje,retencion_porcentaje,iva_porcentaje,derechos_porcentaje,retencion_antes_iva',
  'amortizacion,retencion,cargos_antes_iva,subtotal,iva,derechos,cargos_despues_iva,neto,pagado,external_id'
]

/** Kinds of estimates: for work, for deliveries of the advance, and for the settlement of the contract. */
export class Migration50Tipo extends Migration {
  override up (): void {
    this.addSql(statementsOf('tipo', 'table', 'numbers', 'amounts', 'keep-estimate', 'sums', 'settlement'))
    this.addSql(fixed('estimates', 'tipo'))
    this.addSql(readByIndex('keep_estimate_numbers', 'movement_amount', 'exceeds_advance', 'keep_estimate'))
    this.addSql(readByIndex('keep_estimate_authorized', 'undo_authorization', 'keep_estimate_sums'))
    this.addSql(readByIndex('is_settled', 'has_pending', 'settle_contract', 'keep_settled'))
    this.addSql(readByIndex('keep_convenio', 'keep_catalogue_unsettled'))
    this.addSql(`call keep_history_of('estimates', '${shown.join()}', '', 'company_id', '')`)
  }
}
