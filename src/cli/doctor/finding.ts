/** Result of a check. `failed` endangers data or prevents service; a `warning` needs the operator's attention. */
export interface Finding {
  check: string
  outcome: 'ok' | 'warning' | 'failed'
  /** The problem and its remedy, or the good result. */
  message: string
}

/** Creates the findings of a check. */
export function findingsOf (check: string) {
  const as = (outcome: Finding['outcome']) => (message: string): Finding => ({ check, outcome, message })
  return { ok: as('ok'), warning: as('warning'), failed: as('failed') }
}
