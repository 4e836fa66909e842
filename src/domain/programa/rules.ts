import type { Problem } from '../../http/errors.ts'
import type { BodyOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'

/** Checks a row of the programme by itself. */
export function programmeRules ({ periodo_inicio: start, periodo_fin: end, importe }: BodyOf<typeof fields>): Problem[] {
  const problems: Problem[] = []
  if (start !== undefined && end !== undefined && end < start) problems.push({ field: 'periodo_fin', key: 'periodBackwards' })
  if (importe === '0.00') problems.push({ field: 'importe', key: 'zero' })
  return problems
}
