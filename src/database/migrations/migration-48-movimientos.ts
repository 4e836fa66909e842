import { Migration } from '@mikro-orm/migrations'
import { sumMovements } from './movimientos/sum-movements.ts'
import { afterStatements, copied, fixed, readByIndex, statementsOf, walls } from './sql.ts'

/** Movements: charges and returns of estimates. */
export class Migration48Movimientos extends Migration {
  override up (): void {
    this.addSql(statementsOf('movimientos', 'table'))
    this.addSql(walls('movimientos', 'movement_sums'))
    this.addSql(fixed('movimientos', 'estimate_id', 'contract_id'))
    this.addSql(copied('movimientos', 'contract_id', 'estimate_id', 'estimates', 'contract_id'))
    const isDraft = "keep_writable('estimate_id', 'estimates', 'estado', 'borrador', 'external_id', 'true')"
    this.addSql(afterStatements('movimientos', 'keep_writable_estimate_id', isDraft))
    this.addSql(statementsOf('movimientos', 'estimates', 'percentages', 'returns', 'authorization'))
    this.addSql(sumMovements)
    this.addSql(afterStatements('movimientos', 'sum_movements', 'sum_movements()'))
    this.addSql(readByIndex(
      'percentage_charges', 'returnable', 'returned_in', 'returns_more', 'sum_movements', 'keep_movements_authorized', 'undo_movements'))
  }
}
