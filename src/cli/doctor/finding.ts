/** Result of a check. `failed` endangers data or prevents service; a `warning` needs the operator's attention. */
export interface Finding {
  check: string
  outcome: 'ok' | 'warning' | 'failed'
  /** What was found and, unless it is `ok`, the remedy. */
  message: string
}

/** Creates the findings of a check. */
export function findingsOf (check: string) {
  const as = (outcome: Finding['outcome']) => (message: string): Finding => ({ check, outcome, message })
  return { ok: as('ok'), warning: as('warning'), failed: as('failed') }
}
