import type { Problem } from '../http/errors.ts'

/** The states that a record can change to, by its state. */
export type Transitions = Record<string, readonly string[]>

/** The problem of a change of `estado` that is not allowed. It names the allowed ones. */
export function transitionProblem (transitions: Transitions, from: string, to: string): Problem | undefined {
  const allowed = transitions[from] ?? []
  if (allowed.includes(to)) return undefined
  return allowed.length === 0
    ? { field: 'estado', key: 'estadoFinal', values: { from, to } }
    : { field: 'estado', key: 'estadoTransition', values: { from, to, allowed } }
}
