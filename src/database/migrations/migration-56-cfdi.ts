import { Migration } from '@mikro-orm/migrations'
import { readByIndex, statementsOf } from './sql.ts'

/** The columns of the history of attachments. */
const shown = [
  'contract_id,estimate_id,convenio_id,generador_id,pago_id,nombre,descripcion,tomada_en,tipo,bytes,sha256,estado',
  'cfdi_uuid,cfdi_tipo,cfdi_emisor,cfdi_receptor,cfdi_total,cfdi_moneda,cfdi_fecha,external_id'
]

/** Electronic invoices among attachments: what was read of them, and what follows for their estimates. */
export class Migration56Cfdi extends Migration {
  override up (): void {
    this.addSql(statementsOf('cfdi', 'columns', 'invoices'))
    this.addSql(readByIndex('keep_file_state', 'fill_invoice', 'invoice_warnings'))
    this.addSql(`call keep_history_of('adjuntos', '${shown.join()}', '', 'company_id', '')`)
  }
}
