/** What a check has found: `failed` is what endangers data or keeps the service from serving, `warning` what an operator should know. */
export interface Finding {
  check: string
  outcome: 'ok' | 'warning' | 'failed'
  /** What was found and, where it is not well, what to do. */
  message: string
}

/** Makes the findings of one check. */
export function findingsOf (check: string) {
  const as = (outcome: Finding['outcome']) => (message: string): Finding => ({ check, outcome, message })
  return { ok: as('ok'), warning: as('warning'), failed: as('failed') }
}
