import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/** An address with a port, as some proxies write it into `X-Forwarded-For`. */
const withPort = /^(?:\[([\da-f:.]+)\]|([\d.]+)):\d{1,5}$/i

/** The client's address, without a port. If a proxy has forwarded something else than an address, it is the proxy's own. */
export function addressOf ({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const [, v6, v4] = withPort.exec(ip) ?? []
  const address = v6 ?? v4 ?? ip
  return isIP(address) > 0 ? address : socket.remoteAddress ?? ''
}

/** The name of a client's address for limits. IPv6 addresses of a /64 network are one client. */
export function addressName (request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return normalizeIP(addressOf(request))
}

/** Names the caller that limits apply to. Users of one customer count as one caller, so that one customer cannot use up the total limit. */
export function callerOf (request: FastifyRequest): string {
  const { caller } = request
  if (caller === undefined) return addressName(request)
  return caller.customer == null ? `user ${caller.user}` : `customer ${caller.customer}`
}

const health = /^\/health\//

/** Whether a request is a health probe. */
export function isProbe (route: string | undefined): boolean {
  return route !== undefined && health.test(route)
}

/** Counts of what callers have open, each with a limit. */
export class OpenCounts<Name> {
  /** Most of one name. */
  readonly maxPerName: number
  readonly #open = new Map<Name, number>()

  constructor (maxPerName: number) {
    this.maxPerName = maxPerName
  }

  /** Whether one more is allowed. */
  hasRoom (name: Name): boolean {
    return (this.#open.get(name) ?? 0) < this.maxPerName
  }

  add (name: Name): void {
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
  }

  remove (name: Name): void {
    const count = (this.#open.get(name) ?? 0) - 1
    if (count > 0) this.#open.set(name, count)
    else this.#open.delete(name)
  }
}
