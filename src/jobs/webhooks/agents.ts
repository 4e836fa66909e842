import type { Agent } from 'node:http'
import type { LookupFunction } from 'node:net'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { hostOf, isLoopbackHost } from '../../domain/webhooks/target.ts'

/** Idle connections in total. */
const maxIdle = 64

/** Time in ms that a connection stays idle. Common servers close theirs after 5 s. */
const idleTimeout = 4000

/** Time in ms for each address of a name but the last. Node's 250 ms give up on receivers that are only far away. */
const addressTimeout = 5000

/** Agents that connect to public addresses, and for URLs of loopback to loopback addresses. */
interface Agents {
  /** @param kept whether the connection may be an idle one and may become idle. Otherwise it is new and closed afterwards */
  of: (url: URL, kept: boolean) => Agent
  /** Closes all connections. */
  close: () => void
}

/**
 * @param lookup finds the public addresses of a name. The agent checks them too
 * @param ca certificate authorities in PEM. Default: Node's
 */
export function openAgents (lookup: LookupFunction, ca?: string): Agents {
  const options = { lookup, ca, rejectUnauthorized: true, timeout: idleTimeout, autoSelectFamilyAttemptTimeout: addressTimeout }
  const loopback = { ...options, allowIPAddressList: ['::1', '127.0.0.0/8'] }
  const kinds = {
    public: (keepAlive: boolean) => new RequestFilteringHttpsAgent({ ...options, keepAlive }),
    loopback: (keepAlive: boolean) => new RequestFilteringHttpAgent({ ...loopback, keepAlive }),
    loopbackTls: (keepAlive: boolean) => new RequestFilteringHttpsAgent({ ...loopback, keepAlive })
  }
  const kept = { public: kinds.public(true), loopback: kinds.loopback(true), loopbackTls: kinds.loopbackTls(true) }
  const agents = Object.values(kept)
  for (const agent of agents) limitIdle(agent, () => agents.reduce((sum, agent) => sum + idleOf(agent), 0) < maxIdle)

  return {
    of (url, isKept) {
      const kind = !isLoopbackHost(hostOf(url)) ? 'public' : url.protocol === 'https:' ? 'loopbackTls' : 'loopback'
      return isKept ? kept[kind] : kinds[kind](false)
    },
    close: () => { for (const agent of agents) agent.destroy() }
  }
}

/** Node's agents limit idle connections per host only. */
function limitIdle (agent: Agent, hasRoom: () => boolean): void {
  const keepSocketAlive: (...args: Parameters<Agent['keepSocketAlive']>) => unknown = agent.keepSocketAlive.bind(agent)
  Object.assign(agent, { keepSocketAlive: (...args: Parameters<Agent['keepSocketAlive']>) => hasRoom() && keepSocketAlive(...args) })
}

function idleOf ({ freeSockets }: Agent): number {
  return Object.values(freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0)
}
