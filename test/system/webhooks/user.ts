import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { tokensOf } from '../../support/over-http.ts'
import { pick, type Random } from '../../../src/trial/random.ts'

/** An answer of the service. */
export interface Reply {
  status: number
  body: any
}

/** An answer to a request that was repeated until the answer was certain. Times by `performance.now()`. */
export interface Certain extends Reply {
  /** Start of the first attempt. */
  from: number
  to: number
  /** Attempts that may have had an effect. */
  tries: number
}

/** Longest time in ms until a request must be answered, also while the only server starts on a slow machine. */
const patience = 150_000

/** A user of one company, who sends requests to any of the servers. */
export class User {
  readonly company: number
  readonly #origins: string[]
  readonly #token: string
  readonly #random: Random

  constructor (company: number, origins: string[], token: string, random: Random) {
    this.company = company
    this.#origins = origins
    this.#token = token
    this.#random = random
  }

  /** Sends a request once. @returns undefined without an answer */
  async send (method: string, path: string, body?: unknown): Promise<Reply | undefined> {
    try {
      const response = await fetch(`${pick(this.#origins, this.#random)}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, ...body === undefined ? {} : { 'content-type': 'application/json' } },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(patience)
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch {
      return undefined
    }
  }

  /** Sends a request until a server answers it. @throws {Error} if it takes too long */
  async surely (method: string, path: string, body?: unknown): Promise<Certain> {
    const from = performance.now()
    for (let tries = 1; performance.now() < from + patience; tries++) {
      const reply = await this.send(method, path, body)
      if (reply !== undefined && reply.status !== 503 && reply.status !== 500) return { ...reply, from, to: performance.now(), tries }
      await sleep(30)
    }
    throw new Error(`${method} ${path} is not answered`)
  }
}

/** Logs in, and selects a company. @param name of the company */
export async function userOf (origins: string[], email: string, name: string, random: Random): Promise<User> {
  const { access } = await tokensOf(origins[0] as string, email, demoPassword)
  const { body: me } = await new User(0, origins, access, random).surely('GET', 'me/')
  const { id: company } = me.companies.find(({ nombre }: { nombre: string }) => nombre === name)
  const user = new User(company, origins, access, random)
  const { status, body } = await user.surely('PATCH', 'me/', { company })
  if (status !== 200 || body.company !== company) throw new Error(`${email} cannot switch to company ${company}: ${JSON.stringify(body)}`)
  return user
}
