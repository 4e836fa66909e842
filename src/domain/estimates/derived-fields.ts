import { p } from '@mikro-orm/core'
import { Type } from '@sinclair/typebox'
import { money as moneyType } from '../../database/schema/types.ts'
import { copied } from '../../resources/declaration/derived.ts'
import { Field } from '../../resources/declaration/field.ts'
import { Amount } from '../../resources/declaration/schemas.ts'
import { amountOf } from './amounts.ts'

/** A value that the database copies from the contract when the estimate is created. */
export function copiedFromContract<T, const N extends string> (kind: Field<T>, field: N): Field<T, never, `contract.${N}`> {
  return copied(kind, `contract.${field}`).keptBy('keep_estimate')
}

/** An amount that the database derives. It is stored when the estimate is authorized. */
export function derived (name: string): Field<string, never> {
  const property = () => p.type(moneyType).$type<string>().nullable()
  return new Field<string, never>({ type: 'numeric', property, shown: Amount }).from(amountOf(name))
}

/** The number of lines, which triggers of the lines keep. */
export function lineCount (): Field<number, never> {
  return new Field<number, never>({ type: 'int', property: () => p.integer().default(0), shown: Type.Integer({ minimum: 0 }) })
}
