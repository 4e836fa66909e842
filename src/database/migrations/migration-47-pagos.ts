import { Migration } from '@mikro-orm/migrations'
import { copied, fixed, readByIndex, statementsOf, walls } from './sql.ts'

/** Payments of estimates. The estimate keeps their sum, and its state follows. */
export class Migration47Pagos extends Migration {
  override up (): void {
    this.addSql(statementsOf('pagos', 'table'))
    this.addSql(walls('pagos'))
    this.addSql(fixed('pagos', 'estimate_id', 'importe', 'contract_id'))
    this.addSql(copied('pagos', 'contract_id', 'estimate_id', 'estimates', 'contract_id'))
    this.addSql(statementsOf('pagos', 'present', 'settlement', 'estimates'))
    this.addSql(readByIndex('settle_estimate', 'keep_paid', 'pay_rest', 'keep_unpaid'))
  }
}
