import { p } from '@mikro-orm/core'
import { Type } from '@sinclair/typebox'
import { ExactDecimal } from '../../database/schema/types.ts'
import type { DecimalForm } from '../validation/keywords.ts'
import { Field } from './field.ts'
import type { FieldSpec } from './field-spec.ts'
import { Money, MoneyInput } from './schemas.ts'

/** An amount of money, a decimal string such as `"1500.00"`. Negative amounts need `signed()`. */
export function money (): Field<string> {
  const { spec } = decimal(18, 2)
  return new Field({ ...spec, shown: Money, input: MoneyInput, query: MoneyInput })
}

/** A quantity, a decimal string with four places such as `"12.5000"`. It can be negative. */
export function quantity (): Field<string> {
  return decimal(18, 4).signed()
}

/** A unit price with up to six places. Answers have at least two, and no further zeros: `"12.50"`, `"0.003125"`. */
export function price (): Field<string> {
  return decimals(18, 6, 2)
}

/** A decimal with `precision` digits, including `scale` places. Answers have all places. Negative ones need `signed()`. */
export function decimal (precision: number, scale: number): Field<string> {
  return decimals(precision, scale, scale)
}

function decimals (precision: number, places: number, shown: number): Field<string> {
  const type = new ExactDecimal(precision, places)
  const form = { whole: precision - places, places, ...shown === places ? {} : { shown } }
  return new Field({
    type: 'numeric',
    property: () => p.type(type).$type<string>(),
    whole: precision - places,
    check: column => `${column} >= 0`,
    ...shown === places ? {} : { printed: column => `round(${column}, greatest(${shown}, min_scale(${column})))` },
    ...schemas(form),
    signedForm: { check: undefined, ...schemas({ ...form, signed: true }) }
  })
}

function schemas (form: DecimalForm): Pick<FieldSpec, 'shown' | 'input' | 'query'> {
  const { places, shown = places, signed = false } = form
  const fraction = places === 0 ? '' : `\\.\\d{${shown === places ? places : `${shown},${places}`}}`
  const example = `12${places === 0 ? '' : `.5${'0'.repeat(shown - 1)}`}`
  const input = Type.Unsafe<string>({ decimal: form, examples: [example] })
  return { shown: Type.String({ pattern: `^${signed ? '-?' : ''}\\d+${fraction}$`, examples: [example] }), input, query: input }
}
