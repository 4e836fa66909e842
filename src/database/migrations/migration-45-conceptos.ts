import { Migration } from '@mikro-orm/migrations'
import { afterStatements, fixed, readByIndex, statementsOf, walls } from './sql.ts'

/** The first authorization of a change order, or of an estimate with lines (`con_lineas` of migration 46), closes the catalogue. */
const isClosed = [
  'select s.acordados > 0 or s.con_lineas > 0 from contract_sums s',
  'where s.company_id = p.company_id and s.contract_id = p.id'
].join(' ')
const texts = 'capitulo,descripcion,external_id'

/** The catalogue of a contract, with the rows of its change orders. */
export class Migration45Conceptos extends Migration {
  override up (): void {
    this.addSql(statementsOf('conceptos', 'table'))
    this.addSql(walls('conceptos'))
    this.addSql(fixed('conceptos', 'contract_id', 'convenio_id'))
    this.addSql(statementsOf('conceptos', 'contracts', 'quantities', 'claves'))
    const triggers = {
      sum_contracts_monto: "keep_sum('contracts', 'monto', 'monto_rows', 'contract_id', 'importe', 'convenio_id is null')",
      sum_convenios_monto: "keep_sum('convenios', 'monto', 'monto_rows', 'convenio_id', 'importe', 'convenio_id is not null')",
      keep_writable_contract_id:
        `keep_writable('contract_id', 'contracts', 'coalesce((${isClosed}), false)', 'false', '${texts}', 'w.convenio_id is null')`,
      keep_writable_convenio_id: `keep_writable('convenio_id', 'convenios', 'estado', 'borrador', '${texts}', 'true')`
    }
    for (const [name, call] of Object.entries(triggers)) this.addSql(afterStatements('conceptos', name, call))
    this.addSql(readByIndex('current_quantity', 'keep_claves'))
  }
}
