import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../../src/trial/random.ts'
import type { User } from './user.ts'

/** Writes records of one company at random. The answers do not matter, because the change log has every commit. */
export class Writer {
  /** Requests that changed something. */
  written = 0
  /** Answers that no server gives. */
  readonly faults: string[] = []
  readonly #user: User
  readonly #name: string
  readonly #random: Random
  readonly #ids = { contracts: [] as number[], contrapartes: [] as number[], estimates: [] as number[] }
  #made = 0

  /** @param name prefix of its names */
  constructor (user: User, name: string, random: Random) {
    this.#user = user
    this.#name = name
    this.#random = random
  }

  /** Writes until `isOver`. */
  async run (isOver: () => boolean): Promise<void> {
    const acts = Object.values(this.#acts)
    while (!isOver()) {
      await pick(acts, this.#random)()
      await sleep(this.#random() * 60)
    }
  }

  readonly #acts = {
    create: async () => await this.#create('contracts', this.#contract()),
    another: async () => await this.#create('contracts', this.#contract()),
    party: async () => await this.#create('contrapartes', { nombre: this.#next() }),
    bulk: async () => {
      const reply = await this.#send('POST', 'contracts/bulk/', { items: Array.from({ length: 2 + Math.floor(this.#random() * 12) }, () => this.#contract()) })
      this.#ids.contracts.push(...(reply?.body?.results ?? []).map(({ id }: { id: number }) => id))
    },
    update: async () => await this.#update(),
    /** Changes one record many times. */
    repeat: async () => {
      const path = this.#path('contracts')
      for (let time = 0; time < 5; time++) await this.#send('PATCH', path, { monto: this.#amount() })
    },
    rename: async () => await this.#send('PATCH', this.#path('contrapartes'), { notas: this.#next() }),
    estimate: async () => {
      const contract = this.#some('contracts')
      if (contract !== undefined) await this.#create('estimates', { contract, descripcion: this.#next(), monto: '1.00' })
    },
    describe: async () => await this.#send('PATCH', this.#path('estimates'), { descripcion: this.#next() }),
    submit: async () => await this.#send('PATCH', this.#path('estimates'), { estado: 'enviada' }),
    remove: async () => await this.#remove(pick(['contracts', 'contrapartes', 'estimates'] as const, this.#random)),
    /** Creates, changes and deletes records in one transaction. */
    mutations: async () => {
      const mutations = [
        { op: 'create', resource: 'contracts', ref: 'a', body: this.#contract() },
        { op: 'create', resource: 'contracts', ref: 'b', body: this.#contract() },
        { op: 'update', resource: 'contracts', record: { ref: 'a' }, base: { descripcion: '' }, body: { descripcion: this.#next() } },
        { op: 'delete', resource: 'contracts', record: { ref: 'b' } },
        { op: 'create', resource: 'contrapartes', ref: 'c', body: { nombre: this.#next() } }
      ].map((mutation, index) => ({ id: index + 1, ...mutation }))
      await this.#send('POST', 'mutations/', { device: randomUUID(), mutations })
    }
  }

  async #create (resource: 'contracts' | 'contrapartes' | 'estimates', body: object): Promise<void> {
    const reply = await this.#send('POST', `${resource}/`, body)
    if (reply?.status === 201) this.#ids[resource].push(reply.body.id)
  }

  async #update (): Promise<void> {
    await this.#send('PATCH', this.#path('contracts'), pick([{ monto: this.#amount() }, { descripcion: this.#next() }], this.#random))
  }

  async #remove (resource: 'contracts' | 'contrapartes' | 'estimates'): Promise<void> {
    const id = this.#some(resource)
    if (id === undefined) return
    const reply = await this.#send('DELETE', `${resource}/${id}/`)
    if (reply?.status === 204) this.#ids[resource] = this.#ids[resource].filter(other => other !== id)
  }

  async #send (method: string, path: string, body?: unknown) {
    const reply = await this.#user.send(method, path, body)
    if (reply !== undefined && reply.status < 300) this.written++
    if (reply !== undefined && ![200, 201, 204, 400, 404, 409, 500, 503].includes(reply.status)) this.faults.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply
  }

  /** A record, more often a new one. */
  #some (resource: 'contracts' | 'contrapartes' | 'estimates'): number | undefined {
    const ids = this.#ids[resource]
    return ids.at(-1 - Math.floor(this.#random() ** 2 * ids.length))
  }

  #path (resource: 'contracts' | 'contrapartes' | 'estimates'): string {
    return `${resource}/${this.#some(resource) ?? 0}/`
  }

  #contract () {
    return { folio: this.#next(), monto: this.#amount() }
  }

  #next (): string {
    return `${this.#name}-${++this.#made}`
  }

  #amount (): string {
    return `${Math.floor(this.#random() * 1e6) + 1}.50`
  }
}
