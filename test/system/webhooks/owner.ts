import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../support/trial/random.ts'
import type { Endpoint } from './endpoint.ts'

/** Longest time in ms until an answer 410 switches a webhook off: an attempt, and the lease of a killed server. */
const longestSwitchOff = 60_000

/** Acts on a webhook at random, one act after the other. */
export class Owner {
  readonly #endpoint: Endpoint
  readonly #random: Random
  readonly #isOver: () => boolean

  constructor (endpoint: Endpoint, random: Random, isOver: () => boolean) {
    this.#endpoint = endpoint
    this.#random = random
    this.#isOver = isOver
  }

  /** Acts until the end. The webhook is active then. */
  async run (): Promise<void> {
    const acts = [this.#changeMood, this.#changeMood, this.#changeMood, this.#goDown, this.#move, this.#hurry, this.#pause, this.#replay, this.#replay, this.#skip, this.#skip, this.#rotate, this.#ping, this.#giveUp]
    while (!this.#isOver()) {
      await this.#wait(200 + this.#random() * 800)
      await pick(acts, this.#random)()
    }
  }

  async #wait (milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; !this.#isOver() && performance.now() < end;) await sleep(20)
  }

  /** Runs `work`, often while a delivery is in flight. */
  async #act<Result> (work: () => Promise<Result>): Promise<Result> {
    return this.#random() < 0.3 ? await work() : await this.#endpoint.receiver.inFlight(1000, work)
  }

  readonly #changeMood = async () => {
    const { receiver } = this.#endpoint
    receiver.mood = pick(['well', 'flaky', 'flaky', 'failing'] as const, this.#random)
    receiver.flakiness = 0.1 + 0.6 * this.#random()
  }

  readonly #goDown = async () => {
    await this.#endpoint.receiver.down()
    await this.#wait(this.#random() * 1500)
    await this.#endpoint.receiver.up()
    await this.#hurry()
  }

  readonly #move = async () => await this.#act(async () => await this.#endpoint.move())

  /** A failed delivery does not wait for its time. */
  readonly #hurry = async () => await this.#endpoint.move()

  readonly #pause = async () => {
    await this.#act(async () => await this.#endpoint.patch({ activo: false }))
    const span = { from: performance.now(), to: Infinity }
    this.#endpoint.inactive.push(span)
    await this.#wait(this.#random() * 2000)
    span.to = performance.now()
    await this.#act(async () => await this.#endpoint.patch({ activo: true }))
  }

  readonly #replay = async () => {
    const { receiver, replays, user, id, name, faults } = this.#endpoint
    const seen = receiver.hits.filter(({ isAccepted }) => isAccepted).flatMap(({ items }) => items)
    if (seen.length === 0) return
    const { revision, timestamp } = pick(seen.slice(-100), this.#random)
    const replay = { from: performance.now(), to: Infinity, since: Infinity, tries: Infinity }
    replays.push(replay)
    const since = this.#random() < 0.3 ? timestamp : revision - Math.floor(this.#random() * 3)
    const { answer: { status, body }, to, tries } = await this.#act(async () => await user.client.surely('POST', `webhooks/${id}/replay/`, { body: { since } }))
    if (status === 202) Object.assign(replay, { to, tries, since: body.revision })
    else faults.push(`${name}: a replay since ${since} is answered ${status} ${JSON.stringify(body)}`)
  }

  readonly #skip = async () => {
    const { receiver, skips, user, id, name, faults } = this.#endpoint
    receiver.mood = 'failing'
    await this.#wait(this.#random() * 1000)
    const skip = { from: performance.now(), to: Infinity }
    skips.push(skip)
    const { answer: { status } } = await this.#act(async () => await user.client.surely('POST', `webhooks/${id}/skip/`))
    skip.to = performance.now()
    if (status !== 202 && status !== 409) faults.push(`${name}: a skip is answered ${status}`)
    receiver.mood = 'flaky'
  }

  readonly #rotate = async () => {
    // The fifth secret ends the first one.
    if (++this.#endpoint.rotations > 3) return
    const reply = await this.#act(async () => await this.#endpoint.user.client.once('POST', `webhooks/${this.#endpoint.id}/rotate/`))
    if (reply?.status === 200) this.#endpoint.addSecret(reply.body.secret)
  }

  readonly #ping = async () => {
    const { user, id, receiver, name, faults } = this.#endpoint
    const before = receiver.hits.length
    const { status, body } = (await user.client.surely('POST', `webhooks/${id}/test/`)).answer
    if (status === 200 && body.estado_http === 204 && !receiver.hits.slice(before).some(({ id }) => id === body.webhook_id)) faults.push(`${name}: a ping did not arrive`)
  }

  /** Answers 410 until the service has switched the webhook off, and switches it on again. */
  readonly #giveUp = async () => {
    const { receiver, name, faults } = this.#endpoint
    if (this.#random() < 0.6) return
    receiver.mood = 'gone'
    await this.#wait(2000)
    const last = receiver.hits.findLast(({ items }) => items.length > 0)
    const wasAnswered = last?.fate === 'gone'
    if (!wasAnswered) receiver.mood = 'flaky'
    for (const late = performance.now() + longestSwitchOff; ;) {
      const { activo, motivo_inactivo: reason } = await this.#endpoint.read()
      if (!activo && reason !== 'The receiver answered 410.') faults.push(`${name} is switched off because of ${reason}`)
      if (!activo || !wasAnswered) break
      if (performance.now() > late) {
        faults.push(`${name} is not switched off by 410`)
        break
      }
      await sleep(50)
    }
    receiver.mood = 'well'
    await this.#endpoint.patch({ activo: true })
    const { motivo_inactivo: reason } = await this.#endpoint.read()
    if (reason !== null && receiver.hits.at(-1)?.fate !== 'gone') faults.push(`${name} is active and has the reason ${reason}`)
  }
}
