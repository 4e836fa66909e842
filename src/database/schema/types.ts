import { Type } from '@mikro-orm/core'

/**
 * `numeric(precision, scale)` as a decimal string. MikroORM's own decimal type compares floating-point numbers, for which
 * 9999999999999999.98 and …99 are equal.
 */
export class ExactDecimal extends Type<string, string> {
  readonly columnType: string

  constructor (precision: number, scale = 2) {
    super()
    this.columnType = `numeric(${precision}, ${scale})`
  }

  override getColumnType (): string {
    return this.columnType
  }

  override compareAsType (): string {
    return 'string'
  }
}

/** An amount of money: up to 16 whole digits and two decimals, as a string such as `"1500.00"`. */
export const money = new ExactDecimal(18)

/** A sum of amounts of money. It can have more digits than an amount. */
export const sum = new ExactDecimal(38)

/** A percentage from `"0.00"` to `"100.00"`. */
export const percentage = new ExactDecimal(5)
