import type { Constraint } from '../../resources/declaration/constraint.ts'
import { amountConstraints } from './constraints/amounts.ts'
import { lineConstraints } from './constraints/lines.ts'
import { stateConstraints } from './constraints/states.ts'
import { uniqueConstraints } from './constraints/unique.ts'
import type { fields } from './fields.ts'

/** Constraints of an estimate that depend on other data of the company. */
export const estimateConstraints: Array<Constraint<keyof typeof fields>> = [
  ...stateConstraints, ...uniqueConstraints, ...amountConstraints, ...lineConstraints
]
