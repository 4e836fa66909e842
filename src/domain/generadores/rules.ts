import type { Problem } from '../../http/errors.ts'
import type { BodyOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'
import { dimensions, productOf } from './quantity.ts'

type Body = BodyOf<typeof fields>

/** The largest quantity has this many digits before the point. */
const wholeDigits = 14

/** The product of the dimensions of a measurement; null without any, undefined if one was refused. */
function measured (next: Body): string | null | undefined {
  const factors = dimensions.map(name => next[name])
  if (factors.includes(undefined)) return undefined
  const given = factors.filter(factor => typeof factor === 'string')
  return given.length === 0 ? null : productOf(given)
}

/** Sets the quantity to the product of the dimensions, unless the request gives another one, which the rules refuse. */
export function completeMeasurement (next: Body, given: Body): Body {
  const product = measured(next)
  return given.cantidad !== undefined || product == null ? {} : { cantidad: product }
}

/** Checks that the quantity is given, or the product of the dimensions. */
export function measurementRules (next: Body): Problem[] {
  const product = measured(next)
  const { cantidad } = next
  if (product === undefined || cantidad === undefined) return []
  if (product === null) return cantidad === null ? [{ field: 'cantidad', key: 'required' }] : []
  if (product.replace('-', '').length > wholeDigits + 5) {
    const values = { fields: '`piezas`, `largo`, `ancho`, `alto`', max_whole_digits: wholeDigits }
    return [{ field: 'cantidad', key: 'generatedTooLarge', values }]
  }
  return cantidad === product ? [] : [{ field: 'cantidad', key: 'notProduct' }]
}
