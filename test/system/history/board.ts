import type { Random } from '../../support/random.ts'
import type { Act } from './act.ts'

/** What all actors have seen between them: it tells them what they may compete for, and may be out of date. */
export class Board {
  readonly contracts = new Set<number>()
  readonly estimates = new Map<number, { contract: number, estado: string }>()
  /** The latest ETag and body of each address. */
  readonly tags = new Map<string, string>()
  readonly bodies = new Map<string, any>()
  /** Counts requests that go out together, so that each server is the first at times. */
  turn = 0
  #texts = 0
  #learned = 0

  /** How many of a hundred acts write now: now and then so few that what was read is read again unchanged. */
  get writes (): number {
    return this.#learned % 90 < 60 ? 55 : 8
  }

  /** A text that nobody has used: what has it was written by one act. */
  text (): string {
    return `t${++this.#texts}`
  }

  /** A text that was used not long ago. */
  recent (random: Random): string {
    return `t${Math.max(1, this.#texts - Math.floor(random() * 30))}`
  }

  /** Takes down what an answer shows. */
  learn ({ method, path, status, etag, answer }: Act): void {
    this.#learned++
    const [, resource, id, view] = /^(contracts|estimates)\/(?:(\d+)\/)?(\w*)/.exec(path) ?? []
    const records = this[resource as 'contracts' | 'estimates']
    if (id !== undefined && view === '' && (status === 404 || status === 204)) records.delete(Number(id))
    if (status !== 200 && status !== 201) return
    if (method !== 'POST' && etag !== undefined) {
      this.tags.set(path, etag)
      this.bodies.set(path, answer)
    }
    if (view === 'tree' || view === 'ancestors') return
    for (const { id, contract, estado } of answer.results ?? [answer]) {
      if (resource === 'contracts') this.contracts.add(id)
      else this.estimates.set(id, { contract, estado })
    }
  }
}
