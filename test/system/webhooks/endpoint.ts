import { Webhook } from 'standardwebhooks'
import type { Random } from '../../support/trial/random.ts'
import { Receiver } from './receiver.ts'
import type { User } from './user.ts'

/** How a webhook is made. */
export interface Settings {
  events?: string[]
  batch: number
}

/** A time by `performance.now()`. */
interface Span {
  from: number
  to: number
}

/** A webhook with its receiver, and what its owner did with it. */
export class Endpoint {
  readonly number: number
  readonly user: User
  readonly receiver: Receiver
  readonly batch: number
  id = 0
  events: string[] = []
  /** Secrets with the time from which the owner has known them. */
  readonly secrets: Array<{ webhook: Webhook, since: number }> = []
  /** Times in which it was surely inactive. */
  readonly inactive: Span[] = []
  /** Paths with the time from which no other one may be used. */
  readonly paths: Array<{ path: string, since: number }> = []
  /** Replays: the call, the revision after which deliveries begin, and how often the call may have had an effect. */
  readonly replays: Array<Span & { since: number, tries: number }> = []
  readonly skips: Span[] = []
  /** Changes by the owner. The result of a delivery in flight does not count then, so it can be repeated. */
  readonly changes: Span[] = []
  readonly faults: string[] = []
  rotations = 0
  readonly #settings: Settings

  constructor (number: number, user: User, settings: Settings, random: Random) {
    this.number = number
    this.user = user
    this.batch = settings.batch
    this.#settings = settings
    this.receiver = new Receiver(random, (headers, body) => this.secrets.flatMap(({ webhook }, index) => verifies(webhook, headers, body) ? [] : [index]))
  }

  get name (): string {
    return `endpoint ${this.number} (webhook ${this.id}, company ${this.user.company}, batch ${this.batch})`
  }

  /** Starts the receiver and creates the webhook. A creation without an answer leaves another webhook behind, at a path that nobody watches. */
  async open (): Promise<void> {
    await this.receiver.up()
    const { answer: { body } } = await this.user.client.surely('POST', 'webhooks/', { body: { url: this.#url(0), ...this.#settings }, codes: [201] })
    this.id = body.id
    this.events = body.events
    this.addSecret(body.secret)
    this.paths.push({ path: this.#path(0), since: 0 })
  }

  addSecret (secret: string): void {
    this.secrets.push({ webhook: new Webhook(secret), since: performance.now() })
  }

  /** Changes the URL, so that a failed delivery is repeated at once. */
  async move (): Promise<void> {
    const number = this.paths.length
    await this.patch({ url: this.#url(number) })
    this.paths.push({ path: this.#path(number), since: performance.now() })
  }

  async patch (body: object): Promise<void> {
    const { from, to } = await this.user.client.surely('PATCH', `webhooks/${this.id}/`, { body, codes: [200] })
    this.changes.push({ from, to })
  }

  /** The webhook as the service shows it. */
  async read (): Promise<{ activo: boolean, motivo_inactivo: string | null }> {
    return (await this.user.client.surely('GET', `webhooks/${this.id}/`, { codes: [200] })).answer.body
  }

  #path (number: number): string {
    return `/${this.number}/${number}`
  }

  #url (number: number): string {
    return this.receiver.origin + this.#path(number)
  }
}

function verifies (webhook: Webhook, headers: Record<string, string>, body: string): boolean {
  try {
    webhook.verify(body, headers)
    return true
  } catch {
    return false
  }
}
