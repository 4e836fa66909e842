import { Migration } from '@mikro-orm/migrations'
import { readByIndex, statementsOf } from './sql.ts'

/** The columns of the history of attachments. */
const shown = [
  'contract_id,estimate_id,convenio_id,generador_id,pago_id,nombre,descripcion,tomada_en,tipo,tipo_declarado,bytes,sha256,estado',
  'cfdi_uuid,cfdi_tipo,cfdi_emisor,cfdi_receptor,cfdi_total,cfdi_moneda,cfdi_fecha,external_id'
]

/** The media type of a file follows from its bytes. Another one that the client gave is kept beside it. */
export class Migration65FileTypes extends Migration {
  override up (): void {
    this.addSql('alter table adjuntos add tipo_declarado varchar(80) null')
    this.addSql(statementsOf('file-types', 'keep-file-state'))
    this.addSql(readByIndex('keep_file_state'))
    this.addSql(`call keep_history_of('adjuntos', '${shown.join()}', '', 'company_id', '')`)
  }
}
