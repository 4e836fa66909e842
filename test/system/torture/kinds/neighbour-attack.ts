/** The target of an attack, and the credentials of the attacker: one user of one company. */
export interface AttackTarget {
  /** Scheme, host and port. */
  origin: string
  databaseUrl: string
  /** Access tokens of live sessions of the attacker. */
  tokens: string[]
  /** Access tokens of this user, who is no attacker: one with a revoked session, one expired. */
  revoked: string
  expired: string
  email: string
  /** The attacker's company; it has many contracts. */
  company: number
  /** Companies whose locks other database sessions hold, each with a token of one of its users. */
  others: Array<{ company: number, token: string }>
}

/** One way for one caller to use more than its share. */
export interface Attack {
  name: string
  about: string
  /** Seconds that it runs before others' reads are measured, 1 by default. */
  lead?: number
  /** Variables of the server. */
  env?: Record<string, string>
  /** Runs until `ending` is aborted. @returns how many requests it has sent */
  run: (target: AttackTarget, ending: AbortSignal) => Promise<number>
  /** What others do again and again, before the attack and during it: its name, the times in ms, and the limit of their 99th percentile. */
  measured?: { name: string, limitMs: number, times: (target: AttackTarget) => Promise<number[]> }
  /** What others do once during the attack. @returns failures, one line each */
  beside?: (target: AttackTarget) => Promise<string[]>
  /** Checks the effects on one user. @returns failures, one line each */
  check?: (target: AttackTarget) => Promise<string[]>
}
