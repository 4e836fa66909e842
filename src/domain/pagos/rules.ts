import type { Problem } from '../../http/errors.ts'
import type { BodyOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'

/** Checks a payment by itself: 0 has no sign. */
export function paymentRules ({ importe }: BodyOf<typeof fields>): Problem[] {
  return importe === '0.00' ? [{ field: 'importe', key: 'notDue' }] : []
}
