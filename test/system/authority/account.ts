import type { TokenPair } from '../../../plugins/auth.ts'

/** What a session allows at one moment. */
export interface Standing {
  session: 'live' | 'revoked' | 'inactive'
  /** The user's active company and level there. */
  company: number
  level: number | null
}

/** A session with the standings that were sent to the database, in order. */
export class Subject {
  readonly tokens: TokenPair
  readonly #standings: Standing[]
  #acknowledged = 0

  constructor (tokens: TokenPair, standing: Standing) {
    this.tokens = tokens
    this.#standings = [standing]
  }

  get standing (): Standing {
    return this.#standings.at(-1) as Standing
  }

  /** Makes a change. From its end on, no request may see an earlier standing. */
  async change (next: Partial<Standing>, act: () => Promise<unknown>): Promise<void> {
    this.#standings.push({ ...this.standing, ...next })
    await act()
    this.#acknowledged = this.#standings.length - 1
  }

  /** Call at the start of a request. @returns at its end, the standings that it may have seen */
  watch (): () => Standing[] {
    const since = this.#acknowledged
    return () => this.#standings.slice(since)
  }
}

/** Requests whose answers depend on the standing. No contract has the id 0. */
export const probes = {
  list: { method: 'GET', path: '/api/v1/contracts/?page_size=1' },
  change: { method: 'PATCH', path: '/api/v1/contracts/0/' },
  remove: { method: 'DELETE', path: '/api/v1/contracts/0/' }
} as const

export type Probe = keyof typeof probes

const allowed: Record<Probe, number[]> = { list: [1, 2, 3, 4], change: [2, 3, 4], remove: [3, 4] }

/** The answer to a probe: the status, with the company of a list or the code of a 401. */
export function expected (probe: Probe, { session, company, level }: Standing): string {
  if (session !== 'live') return session === 'inactive' ? '401 user_inactive' : '401 token_not_valid'
  if (level === null || !allowed[probe].includes(level)) return '403'
  return probe === 'list' ? `200 ${company}` : '404'
}
