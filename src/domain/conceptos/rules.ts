import type { Problem } from '../../http/errors.ts'
import type { BodyOf } from '../../resources/declaration/values.ts'
import type { fields } from './fields.ts'

/** Checks the quantity of a concept: only a change order reduces one. */
export function conceptRules ({ cantidad, convenio }: BodyOf<typeof fields>): Problem[] {
  return convenio === null && cantidad?.startsWith('-') === true ? [{ field: 'cantidad', key: 'minValue', values: { min_value: 0 } }] : []
}
