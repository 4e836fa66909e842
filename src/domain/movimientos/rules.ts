import type { Problem } from '../../http/errors.ts'
import type { BodyOf, RecordOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'

type Body = BodyOf<typeof fields>

/**
 * A change that removes the percentage and sends back its amount makes that amount a fixed one. The engine has taken the amount for an
 * echo, which keeps the stored one: none before the authorization.
 */
export function completeMovement (next: Body, given: Body): Body {
  const isFixed = next.porcentaje === null && next.importe === null && given.importe !== undefined
  return isFixed ? { importe: given.importe } : {}
}

/** Checks the amount of a movement. @param current the record before an update */
export function movementRules (next: Body, current: RecordOf<typeof fields> | undefined): Problem[] {
  const problems = [...amountProblems(next, current), ...percentageProblems(next, current)]
  const { antes_iva: isBeforeTax, base } = next
  if (isBeforeTax === true && base !== undefined && base !== 'monto') problems.push({ field: 'base', key: 'baseAfterTax' })
  return problems
}

/** A percentage is above 0 and at most 100. One from before this rule can be sent back. */
function percentageProblems ({ porcentaje }: Body, current: RecordOf<typeof fields> | undefined): Problem[] {
  if (porcentaje == null || porcentaje === current?.porcentaje) return []
  if (Number(porcentaje) <= 0) return [{ field: 'porcentaje', key: 'minValue', values: { min_value: '0.000001' } }]
  return Number(porcentaje) > 100 ? [{ field: 'porcentaje', key: 'maxValue', values: { max_value: 100 } }] : []
}

/** A movement has an amount or a percentage. At the authorization, the database adds the amount of the percentage. */
function amountProblems ({ importe, porcentaje }: Body, current: RecordOf<typeof fields> | undefined): Problem[] {
  if (importe === undefined || porcentaje === undefined) return []
  if (importe === current?.importe && porcentaje === current.porcentaje) return []
  if ((importe === null) === (porcentaje === null)) return [{ field: 'importe', key: 'exactlyOne' }]
  return importe === '0.00' ? [{ field: 'importe', key: 'minValue', values: { min_value: 0.01 } }] : []
}
