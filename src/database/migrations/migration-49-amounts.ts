import { Migration } from '@mikro-orm/migrations'
import { readByIndex, statementsOf } from './sql.ts'

/** The columns of the history. */
const shown = {
  contracts: [
    'folio,contraparte_id,monto,parent_id,moneda,fecha_inicio,fecha_fin,anticipo_porcentaje,retencion_porcentaje',
    'iva_porcentaje,derechos_porcentaje,retencion_antes_iva,estado,descripcion,external_id'
  ],
  estimates: [
    'contract_id,numero,periodo_inicio,periodo_fin,descripcion,monto,lineas,deductivas,estado,motivo_rechazo',
    'factura_uuid,anticipo_porcentaje,retencion_porcentaje,iva_porcentaje,derechos_porcentaje,retencion_antes_iva',
    'amortizacion,retencion,cargos_antes_iva,subtotal,iva,derechos,cargos_despues_iva,neto,pagado,external_id'
  ]
}

/** Amounts of estimates with lines, change orders and movements. */
export class Migration49Amounts extends Migration {
  override up (): void {
    this.addSql(statementsOf('amounts', 'estimates', 'amounts', 'keep-estimate'))
    this.addSql(readByIndex('movement_amount', 'keep_estimate'))
    for (const [table, columns] of Object.entries(shown)) {
      this.addSql(`call keep_history_of('${table}', '${columns.join()}', '', 'company_id', '')`)
    }
  }
}
