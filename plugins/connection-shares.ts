import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import type { Config } from '../src/config.ts'
import { httpError, type HttpError } from '../src/http/errors.ts'
import type { MessageKey } from '../src/http/messages.ts'
import { callerOf, OpenCounts } from '../src/limits/caller.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts an authenticated request against its customer's share of the connections, until its response closes. Counts a request once.
     * @throws {HttpError} 429
     */
    countRequest: (request: FastifyRequest, reply: FastifyReply) => void
    /**
     * Counts a request that waits, such as a stream, against its user and customer, until its response closes. Counts a request once.
     * @throws {HttpError} 429
     */
    countWait: (request: FastifyRequest, reply: FastifyReply) => void
  }
}

/** Part of a customer's share that waits can use, so that other requests of the customer are still answered. */
const waitingPart = limits.connections.waitsOfCustomer / 100

/** Seconds of `Retry-After`: a wait lasts up to 30 s, other requests are short. */
const pauses = { wait: 10, request: 1 }

/** What a response holds until it closes. */
interface Held {
  customer: string
  user: number
  waits: boolean
}

/** Shares of the connections of this process, by user and customer: a request in progress uses a connection. */
export default fp(async function connectionShares (app: FastifyInstance, { config }: { config: Config }) {
  const share = Math.ceil(config.MAX_CONNECTIONS * config.CUSTOMER_CONNECTIONS_PERCENT / 100)
  const requests = new OpenCounts<string>(share)
  const waits = new OpenCounts<string>(Math.ceil(share * waitingPart))
  const waitsOfUser = new OpenCounts<number>(config.WAITS_PER_USER)
  const held = new WeakMap<ServerResponse, Held>()

  // One listener for all responses: thousands of requests can wait for changes.
  function onClose (this: ServerResponse): void {
    const place = held.get(this)
    if (place === undefined) return
    const { customer, user, waits: isWait } = place
    requests.remove(customer)
    if (!isWait) return
    waits.remove(customer)
    waitsOfUser.remove(user)
  }

  app.decorate('countRequest', function countRequest (request, { raw }) {
    if (held.has(raw) || raw.destroyed) return
    const customer = callerOf(request)
    if (!requests.hasRoom(customer)) throw full('tooManyCustomerRequests', requests.maxPerName, pauses.request)
    requests.add(customer)
    held.set(raw, { customer, user: request.caller.user, waits: false })
    raw.on('close', onClose)
  })

  app.decorate('countWait', function countWait (_request, { raw }) {
    const holds = held.get(raw)
    if (holds === undefined || holds.waits || raw.destroyed) return
    if (!waitsOfUser.hasRoom(holds.user)) throw full('tooManyWaits', waitsOfUser.maxPerName, pauses.wait)
    if (!waits.hasRoom(holds.customer)) throw full('tooManyCustomerWaits', waits.maxPerName, pauses.wait)
    holds.waits = true
    waits.add(holds.customer)
    waitsOfUser.add(holds.user)
  })
}, { name: 'connection-shares' })

function full (key: MessageKey, limit: number, wait: number): HttpError {
  return httpError(429, { key, values: { most: limit, wait }, headers: { 'retry-after': String(wait) } })
}
