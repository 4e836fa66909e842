import { Migration } from '@mikro-orm/migrations'
import { afterStatements, fixed, statementsOf, walls } from './sql.ts'

/** A contract that is cancelled or settled. */
const isClosed = `p.estado = 'cancelado' or coalesce((
      select s.liquidado from contract_sums s where s.company_id = p.company_id and s.contract_id = p.id), false)`

/** The programmes of contracts. */
export class Migration51Programa extends Migration {
  override up (): void {
    this.addSql(statementsOf('programa', 'table'))
    this.addSql(walls('programa'))
    this.addSql(fixed('programa', 'contract_id', 'convenio_id'))
    const isOpen = `keep_writable('contract_id', 'contracts', '${isClosed.replaceAll("'", "''")}', 'false', 'external_id', 'true')`
    const isDraft = "keep_writable('convenio_id', 'convenios', 'estado', 'borrador', 'external_id', 'true')"
    this.addSql(afterStatements('programa', 'keep_writable_contract_id', isOpen))
    this.addSql(afterStatements('programa', 'keep_writable_convenio_id', isDraft))
  }
}
