import type { Random } from '../../support/trial/random.ts'
import { resources, type Act, type ResourceName } from './act.ts'
import type { Fields } from './state.ts'

const aPath = new RegExp(`^(${resources.join('|')})/(?:(\\d+)/)?(\\w*)`)

/** The shared knowledge of all actors: records they can compete for. It may be out of date. */
export class Board {
  /** The latest form of each record, by resource and id. */
  readonly records = Object.fromEntries(resources.map(resource => [resource, new Map()])) as Record<ResourceName, Map<number, Fields>>
  /** The latest ETag and body of each path. */
  readonly tags = new Map<string, string>()
  readonly bodies = new Map<string, any>()
  /** Number of concurrent batches, so that each server is first in some of them. */
  turn = 0
  #texts = 0
  #learned = 0

  /** Percentage of acts that write now. It is low at times, so that unchanged data is read again. */
  get writes (): number {
    return this.#learned % 90 < 60 ? 55 : 8
  }

  /** A new unique text, which identifies the act that wrote it. */
  text (): string {
    return `t${++this.#texts}`
  }

  /** A recently used text. */
  recent (random: Random): string {
    return `t${Math.max(1, this.#texts - Math.floor(random() * 30))}`
  }

  /** Updates the shared knowledge from an answer. */
  learn ({ method, path, status, etag, answer }: Act): void {
    this.#learned++
    const [, resource, id, view] = aPath.exec(path) ?? []
    const records = this.records[resource as ResourceName]
    if (id !== undefined && view === '' && (status === 404 || status === 204)) records.delete(Number(id))
    if (status !== 200 && status !== 201) return
    if (method !== 'POST' && etag !== undefined) {
      this.tags.set(path, etag)
      this.bodies.set(path, answer)
    }
    if (view === 'tree' || view === 'ancestors') return
    for (const record of answer.results ?? [answer]) records.set(record.id, record)
  }
}
