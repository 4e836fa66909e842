import { Migration } from '@mikro-orm/migrations'
import { sumLines } from './lines/sum-lines.ts'
import { afterStatements, copied, fixed, readByIndex, statementsOf, walls } from './sql.ts'

/** Measurements (generadores) of estimates, and the lines that they add up to: one for each concept of an estimate. */
export class Migration46Lines extends Migration {
  override up (): void {
    this.addSql(statementsOf('lines', 'measurements', 'tables'))
    this.addSql(walls('generadores', 'estimate_lines', 'concepto_sums'))
    this.measurements()
    this.addSql(statementsOf('lines', 'prices', 'totals', 'conditions', 'rounding', 'change-orders', 'authorization'))
    this.addSql(readByIndex(
      'sum_lines', 'reprice_lines', 'change_advance',
      'has_excess', 'has_negative_quantity', 'has_exceeded_quantity', 'has_line_of_convenio', 'is_rounding', 'keep_authorized', 'reduces_executed', 'keep_executed', 'is_estimated', 'keep_estimated',
      'keep_lines_authorized', 'undo_lines'))
  }

  private measurements (): void {
    this.addSql(fixed('generadores', 'estimate_id', 'concepto_id', 'contract_id'))
    this.addSql(copied('generadores', 'contract_id', 'estimate_id', 'estimates', 'contract_id'))
    const isDraft = "keep_writable('estimate_id', 'estimates', 'estado', 'borrador', 'external_id', 'true')"
    this.addSql(afterStatements('generadores', 'keep_writable_estimate_id', isDraft))
    this.addSql(sumLines)
    this.addSql(afterStatements('generadores', 'sum_lines', 'sum_lines()'))
  }
}
