import { setImmediate as nextTick } from 'node:timers/promises'
import { randomFrom, type Random } from '../../support/trial/random.ts'
import { Answer, type Exchange } from '../kernel/client.ts'
import { resources, type HistoryRequest, type Change, type History, type ResourceName } from './act.ts'
import { effectsOf } from './effects.ts'
import { due, type Due } from './model.ts'
import { play } from './play.ts'
import { shown, shownRecord } from './shown.ts'
import { draftOf, nothing, type State, type Write } from './state.ts'

interface StandInAnswer {
  status: number
  body: string
  etag?: string
  replayed?: boolean
}

const company = 7

/** A model of the servers: answers each request as the API guarantees, after a random delay. Broken servers override its methods. */
export class StandIn {
  readonly log: Change[] = []
  protected readonly states: State[] = [nothing]
  protected readonly given = new Map<string, StandInAnswer>()
  protected readonly random: Random
  #ids = 0

  constructor (seed: number) {
    this.random = randomFrom(seed)
  }

  protected decide (state: State, request: HistoryRequest): Due {
    return due(state, request)
  }

  /** The revision that a read shows. */
  protected seen (_path: string): number {
    return this.states.length - 1
  }

  protected look (revision: number, path: string, after?: number): any {
    return shown(this.states[revision], company, path, after)
  }

  protected unchanged (ifNoneMatch: string | undefined, etag: string): boolean {
    return ifNoneMatch === etag
  }

  protected read (path: string, ifNoneMatch?: string): StandInAnswer {
    const revision = this.seen(path)
    const [, after] = /cursor=(\d+)/.exec(path) ?? []
    const body = this.look(revision, path, after === undefined ? undefined : Number(after))
    if (body === undefined) return { status: 404, body: '{"detail":"Not found."}' }
    const etag = `"${company}.${revision}.stamp.tag.${/^\w+\/\d+\/$/.test(path) ? `${body.version}.changed` : ''}"`
    if (this.unchanged(ifNoneMatch, etag)) return { status: 304, body: '', etag: ifNoneMatch }
    const [resource, query] = path.split('?')
    const parameters = new URLSearchParams(query)
    parameters.set('cursor', body.results?.at(-1)?.id)
    if (body.next === true) body.next = `http://obra.test/api/v1/${resource}?${parameters}`
    else if (body.next === false) body.next = null
    return { status: 200, body: JSON.stringify(body), etag }
  }

  protected write (request: HistoryRequest): StandInAnswer {
    const { path, key } = request
    const before = key === undefined ? undefined : this.given.get(key)
    if (before !== undefined) return { ...before, replayed: true }
    const decided = this.decide(this.states.at(-1) as State, request)
    if ('fields' in decided) return { status: decided.status, body: JSON.stringify({ errors: Object.fromEntries(decided.fields.map(field => [field, ['']])) }) }
    const ids = this.carryOut(decided.writes)
    const [resource] = path.split('/') as [ResourceName]
    const [record, ...more] = ids.map(id => shownRecord(this.states.at(-1) as State, company, resource, id))
    const answer = path.endsWith('/bulk/') ? { count: ids.length, results: [record, ...more] } : record
    const answered: StandInAnswer = { status: decided.status, body: answer === undefined ? '' : JSON.stringify(answer), etag: `"${company}.0.tag.${record?.['version']}"` }
    if (key !== undefined) this.given.set(key, answered)
    return answered
  }

  /** Changes first, then creates, each with a revision and then what follows from them, as the service does. @returns the ids, in order */
  protected carryOut (writes: Write[]): number[] {
    const ids = writes.map(({ id }) => id ?? ++this.#ids)
    const all = writes.map((write, index) => ({ ...write, id: ids[index], isNew: write.id === undefined }))
    for (const isNew of [false, true]) {
      const part = all.filter(write => write.isNew === isNew)
      if (part.length === 0) continue
      const effects = this.effects(this.states.at(-1) as State, part)
      this.#statement(part)
      for (const effect of effects) this.#statement([{ ...effect, id: effect.id ?? ++this.#ids }])
    }
    return ids
  }

  /** What follows from writes. */
  protected effects (state: State, writes: Array<Write & { id: number }>): Write[] {
    return [...effectsOf(state, writes).values()]
  }

  #statement (writes: Array<Write & { id: number }>): void {
    const state = draftOf(this.states.at(-1) as State)
    for (const { resource, id, fields } of writes) {
      const current = state[resource].get(id)
      this.log.push({ revision: this.states.length, resource, id, operation: fields === undefined ? 'delete' : current === undefined ? 'insert' : 'update' })
      if (fields === undefined) state[resource].delete(id)
      else state[resource].set(id, { ...current, ...fields, id, version: (current?.['version'] ?? 0) + 1 })
    }
    this.states.push(state)
  }

  async #pause (): Promise<void> {
    for (let left = Math.floor(this.random() * 4); left > 0; left--) await nextTick()
  }

  /** A way to the model. */
  readonly exchange: Exchange = async ({ method, path, headers, content }) => {
    await this.#pause()
    const { status, body, etag, replayed = false } = method === 'GET'
      ? this.read(path, headers['if-none-match'])
      : this.write({ method: method as HistoryRequest['method'], path, body: content === undefined ? undefined : JSON.parse(content), ifMatch: headers['if-match'], key: headers['idempotency-key'] })
    await this.#pause()
    return new Answer(status, { ...etag === undefined ? {} : { etag }, ...replayed ? { 'idempotency-replayed': 'true' } : {} }, body)
  }

  protected rows (): History['rows'] {
    const state = this.states.at(-1) as State
    return Object.fromEntries(resources.map(resource => [resource, [...state[resource].values()]])) as History['rows']
  }

  /** Makes a history with about `most` acts. */
  async history (seed: number, most: number): Promise<History> {
    const acts = await play(Array.from({ length: 5 }, () => [this.exchange, this.exchange]), {}, seed, ({ length }) => length >= most)
    return { seed, company, acts, log: this.log, rows: this.rows() }
  }
}
