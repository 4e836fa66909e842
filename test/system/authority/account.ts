import type { TokenPair } from '../../../plugins/auth.ts'

/** What a session allows at one moment. */
export interface Rights {
  session: 'live' | 'revoked' | 'inactive'
  /** The user's active company and level there. */
  company: number
  level: number | null
}

/** A session with the rights that were sent to the database, in order. */
export class Subject {
  readonly tokens: TokenPair
  readonly #rights: Rights[]
  #acknowledged = 0

  constructor (tokens: TokenPair, rights: Rights) {
    this.tokens = tokens
    this.#rights = [rights]
  }

  get rights (): Rights {
    return this.#rights.at(-1) as Rights
  }

  /** Makes a change. From its end on, no request may see an earlier rights. */
  async change (next: Partial<Rights>, act: () => Promise<unknown>): Promise<void> {
    this.#rights.push({ ...this.rights, ...next })
    await act()
    this.#acknowledged = this.#rights.length - 1
  }

  /** Call at the start of a request. @returns at its end, the rights that it may have seen */
  watch (): () => Rights[] {
    const since = this.#acknowledged
    return () => this.#rights.slice(since)
  }
}

/** Requests whose answers depend on the rights. No contract has the id 0. */
export const probes = {
  list: { method: 'GET', path: 'contracts/?page_size=1' },
  change: { method: 'PATCH', path: 'contracts/0/' },
  remove: { method: 'DELETE', path: 'contracts/0/' }
} as const

export type Probe = keyof typeof probes

const allowed: Record<Probe, number[]> = { list: [1, 2, 3, 4], change: [2, 3, 4], remove: [3, 4] }

/** The answer to a probe: the status, with the company of a list or the code of a 401. */
export function expected (probe: Probe, { session, company, level }: Rights): string {
  if (session !== 'live') return session === 'inactive' ? '401 user_inactive' : '401 token_not_valid'
  if (level === null || !allowed[probe].includes(level)) return '403'
  return probe === 'list' ? `200 ${company}` : '404'
}
